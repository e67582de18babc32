import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashSecret } from '../src/access/key-secret.ts';
import { migrationNames } from '../src/store/migrate.ts';
import { releases } from '../src/store/releases.ts';
import type { TestDatabase } from '../testing/open-test-database.ts';
import { realPostgresAvailable } from '../testing/real-postgres/postgres-binaries.ts';
import {
  openReleasedDatabase,
  outcomesOf,
  RELEASE,
  refusalsAmong,
  releasedMigrations,
  rowsOf,
} from '../testing/upgrade/released-database.ts';
import { startGateway } from './gateway-process.ts';
import { runCommand, runForJson } from './run-command.ts';
import { WorkFolder } from './work-folder.ts';

const SECRET = 'sk-released-0123456789abcdef';

describe.skipIf(!realPostgresAvailable)(`an installation of version ${RELEASE}`, () => {
  let folder: WorkFolder;
  let database: TestDatabase;
  let environment: Record<string, string>;
  beforeAll(async () => {
    folder = WorkFolder.empty();
    folder.configure(
      'engines: { text: { gpu: { kind: openai, base_url: "http://127.0.0.1:9/v1", model: m, context_window: 9000 } } }',
    );
    database = await openReleasedDatabase();
    environment = { DATABASE_URL: database.url?.reveal() ?? '' };
    await database.pool.query('update key_secrets set secret_hash = $1 where key_id = $2 and stack_id = $3', [
      hashSecret(SECRET),
      'web',
      'blog',
    ]);
  });
  afterAll(async () => {
    await database?.close();
    folder[Symbol.dispose]();
  });

  const command = (...argv: readonly string[]) => ({ cwd: folder.path, argv, environment });
  const migrations = async () => {
    const { rows } = await database.pool.query('select checksum, name from schema_migrations order by name');
    return rows.map(({ checksum, name }) => [checksum, name]);
  };

  it('is upgraded by the first command of the new version, without a change of its rows', async () => {
    const before = await rowsOf(database.pool);
    expect(await runForJson(command('stacks', 'list'))).toMatchObject([{ id: 'blog' }, { id: 'shop' }]);
    expect((await migrations()).map(([, name]) => name)).toEqual(await migrationNames());
    expect(await rowsOf(database.pool)).toMatchObject(before);
  });

  it('serves its keys, while replicas of the old version go on beside the new one', async () => {
    await using gateway = await startGateway(folder, environment);
    expect(await gateway.statusFor(SECRET)).toBe(200);
    expect(refusalsAmong(await outcomesOf(database.pool))).toEqual([]);
    expect((await gateway.stop()).code).toBe(0);
  });

  it('goes back by the documented command, and forward again', async () => {
    const rows = await rowsOf(database.pool);
    const { code, stdout } = await runCommand(command('rollback', RELEASE));
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(`Version ${RELEASE} can start on this database`),
    ]);
    // The release checks this at its start.
    expect(await migrations()).toEqual(releasedMigrations);
    expect(releasedMigrations.at(-1)?.[1]).toBe(releases[RELEASE]?.lastMigration);
    expect(refusalsAmong(await outcomesOf(database.pool))).toEqual([]);
    await runForJson(command('stacks', 'list'));
    // The release makes the built-in stack as a file would.
    const stacks = (rows.stacks ?? []).map((stack) => ({
      ...stack,
      ...('id' in stack && stack.id === 'default' && { declared: true }),
    }));
    expect(stacks).toContainEqual(expect.objectContaining({ id: 'default', declared: true }));
    expect(await rowsOf(database.pool)).toEqual({ ...rows, stacks });
  });
});
