import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../testing/real-postgres/create-database.ts';
import { realPostgresAvailable } from '../testing/real-postgres/postgres-binaries.ts';
import { eventually } from './eventually.ts';
import { type GatewayProcess, startGateway } from './gateway-process.ts';
import { runCommand, runForJson } from './run-command.ts';
import type { Environment } from './stackgate-process.ts';
import { WorkFolder } from './work-folder.ts';

/** Running servers must notice a change within this time. */
const NOTICED_MS = 30_000;

const databases = realPostgresAvailable ? (['embedded', 'postgres'] as const) : (['embedded'] as const);

describe.concurrent.each(databases)('commands beside a running server, database %s', (kind) => {
  let folder: WorkFolder;
  let environment: Environment;
  let gateway: GatewayProcess;

  beforeAll(async () => {
    folder = kind === 'embedded' ? await WorkFolder.withDatabase() : WorkFolder.empty();
    environment = kind === 'embedded' ? {} : { DATABASE_URL: await createDatabase() };
    gateway = await startGateway(folder, environment);
  });
  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  const json = (...argv: string[]): Promise<unknown> => runForJson(gateway.command(argv, environment));
  const createKey = async (stack: string, id: string): Promise<string> =>
    secretOf(await json('keys', 'create', stack, id));
  const refusedSoon = (secret: string): Promise<true> =>
    eventually(
      'the key is refused',
      async () => (await gateway.statusFor(secret)) === 401 || undefined,
      NOTICED_MS,
    );

  it('make a key that works at once, and revoke it', async () => {
    const secret = await createKey('default', 'fresh');
    expect(await gateway.statusFor(secret)).toBe(200);
    expect(await json('keys', 'revoke', 'default', 'fresh')).toMatchObject({
      revoked_at: expect.any(String),
    });
    await refusedSoon(secret);
    expect(await json('keys', 'list')).toContainEqual(
      expect.objectContaining({ stack: 'default', id: 'fresh', revoked_at: expect.any(String) }),
    );
  });

  it('rotate a key with an overlap and without', async () => {
    const first = await createKey('default', 'turning');
    const second = secretOf(await json('keys', 'rotate', 'default', 'turning', '--overlap', '1h'));
    expect([await gateway.statusFor(first), await gateway.statusFor(second)]).toEqual([200, 200]);
    const third = secretOf(await json('keys', 'rotate', 'default', 'turning', '--overlap', '0'));
    expect(await gateway.statusFor(third)).toBe(200);
    await Promise.all([refusedSoon(first), refusedSoon(second)]);
  });

  it('make a stack and change it', async () => {
    const created = await json(
      'stacks',
      'create',
      'shop',
      '--account',
      'acme',
      '--plan',
      'pro',
      '--model',
      'one',
    );
    expect(created).toMatchObject({ id: 'shop', account: 'acme', plan: 'pro', models: ['one'] });
    const secret = await createKey('shop', 'web');
    expect(await gateway.modelsFor(secret)).toEqual(['one']);
    await json('stacks', 'set', 'shop', '--model', 'two');
    await eventually(
      'the new model is listed',
      async () => (await gateway.modelsFor(secret)).includes('two') || undefined,
      NOTICED_MS,
    );
  });

  it('refuse what cannot be, with a line and a code', async () => {
    const { code, stdout, stderr } = await runCommand(
      gateway.command(['keys', 'create', 'no-such-stack', 'web'], environment),
    );
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/^stackgate: there is no stack "no-such-stack"[^\n]*\n$/);
  });

  it('examine everything and find the server', async () => {
    const port = new URL(gateway.url).port;
    const findings = await runForJson(gateway.command(['doctor'], { ...environment, STACKGATE_PORT: port }));
    expect(findings).toContainEqual(expect.objectContaining({ check: 'database', result: 'ok' }));
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'port',
        result: 'ok',
        message: expect.stringContaining('is running'),
      }),
    );
    expect(findings).not.toContainEqual(expect.objectContaining({ result: 'failure' }));
  });

  it.runIf(realPostgresAvailable)(
    'back up what is being served; restored into a fresh PostgreSQL, its keys work',
    async () => {
      const secret = await createKey('default', 'moving');
      const file = join(folder.path, 'all.backup');
      const [written, statuses] = await Promise.all([json('backup', file), askWhile(gateway, 20)]);
      expect(written).toMatchObject({ file, rows: expect.any(Number) });
      expect(statuses).toEqual([200]);
      expect(statSync(file).mode & 0o777).toBe(0o600);

      using elsewhere = WorkFolder.empty();
      const target = { DATABASE_URL: await createDatabase() };
      await runForJson({ cwd: elsewhere.path, argv: ['restore', file], environment: target });
      await using other = await startGateway(elsewhere, target);
      expect(await other.statusFor(secret)).toBe(200);
      expect(await other.statusFor(gateway.key)).toBe(200);
    },
  );
});

describe.concurrent('commands without a server', () => {
  it('open the database themselves, and wait for a server that is starting', async () => {
    using folder = await WorkFolder.withDatabase();
    const json = (...argv: string[]) => runForJson({ cwd: folder.path, argv });
    await json('stacks', 'create', 'one');
    const starting = startGateway(folder);
    await eventually(
      'the server has the database',
      () => existsSync(join(folder.dataDir, 'database.lock')) || undefined,
    );
    const listed = await json('stacks', 'list').finally(() => starting);
    await using _gateway = await starting;
    expect(listed).toContainEqual(expect.objectContaining({ id: 'one' }));
  });

  it('say that PostgreSQL is away, and exit with 4', async () => {
    using folder = WorkFolder.empty();
    const environment = { DATABASE_URL: 'postgres://user:hidden-word@localhost:1/none' };
    const { code, stdout, stderr } = await runCommand({
      cwd: folder.path,
      argv: ['keys', 'list'],
      environment,
    });
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toMatch(/^stackgate: the database cannot be reached: [^\n]*ECONNREFUSED[^\n]*\n$/);
    expect(stderr).not.toContain('hidden-word');
  });
});

function secretOf(printed: unknown): string {
  if (typeof printed !== 'object' || printed === null || !('secret' in printed)) throw new Error('no secret');
  return String(printed.secret);
}

/** Sends that many requests and returns the distinct statuses. */
async function askWhile(gateway: GatewayProcess, count: number): Promise<readonly number[]> {
  const statuses = new Set<number>();
  for (let index = 0; index < count; index += 1) statuses.add(await gateway.statusFor(gateway.key));
  return [...statuses];
}
