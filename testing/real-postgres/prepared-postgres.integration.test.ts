import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realPostgresAvailable } from './postgres-binaries.ts';
import { preparePostgres } from './prepared-postgres.ts';
import { sharedTemporaryFolder } from './server-user.ts';

describe.skipIf(!realPostgresAvailable)('preparePostgres', () => {
  let temporary = '';
  const cache = () => join(temporary, `stackgate-postgres-${process.getuid?.()}`);

  // One folder for all: preparing takes seconds.
  beforeAll(() => {
    temporary = mkdtempSync(join(sharedTemporaryFolder(), 'stackgate-prepared-postgres-'));
    chmodSync(temporary, 0o711);
  });

  afterAll(() => {
    rmSync(temporary, { recursive: true, force: true });
  });

  it('gives two that prepare at once the same files and leaves no others', async () => {
    const [one, other] = await Promise.all([preparePostgres(temporary), preparePostgres(temporary)]);
    expect(one).toEqual(other);
    expect(existsSync(join(one.template, 'PG_VERSION'))).toBe(true);
    expect(readdirSync(cache())).toHaveLength(1);
  });

  it('prepares again when a cleaner took a file away', async () => {
    const first = await preparePostgres(temporary);
    const lost = join(first.template, 'global', 'pg_control');
    rmSync(lost);
    const second = await preparePostgres(temporary);
    expect(existsSync(lost)).toBe(true);
    expect(second.password).not.toBe(first.password);
    expect(await preparePostgres(temporary)).toEqual(second);
    expect(readdirSync(cache())).toHaveLength(1);
  });

  it('refuses a folder in which others may write', async () => {
    mkdirSync(cache(), { recursive: true });
    chmodSync(cache(), 0o777);
    await expect(preparePostgres(temporary)).rejects.toThrow('others may write in it');
  });
});
