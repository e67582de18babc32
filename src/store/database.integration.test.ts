import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closedPort } from '../../testing/closed-port.ts';
import { parseTestConfig } from '../../testing/parse-test-config.ts';
import { realPostgresAvailable } from '../../testing/real-postgres/postgres-binaries.ts';
import { type RealPostgres, startRealPostgres } from '../../testing/real-postgres/real-postgres.ts';
import { storedKey, storedStack } from '../../testing/stored-rows.ts';
import { hashSecret } from '../access/key-secret.ts';
import { Secret } from '../config/secret.ts';
import { type Database, type DatabaseOptions, openDatabase, postgresPool } from './database.ts';
import { DatabaseUnreachable, isDatabaseAway } from './database-errors.ts';
import { DatabaseHealth } from './database-health.ts';
import { execute } from './query.ts';
import { changeRecords, readRecords } from './records.ts';
import { dumpRows } from './row-dump.ts';
import { sql } from './sql.ts';
import { SqlCallerDirectory } from './sql-caller-directory.ts';

describe.skipIf(!realPostgresAvailable)('a PostgreSQL', () => {
  let server: RealPostgres;
  beforeAll(async () => {
    server = await startRealPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it('that stops is a fault, and works again when it is back', async () => {
    const database = await open(await server.createDatabase());
    const secret = 'sk-0123456789abcdef';
    await changeRecords(database.pool, async ({ stacks, keys }) => {
      await stacks.save(storedStack);
      await keys.setSecret(await keys.save(storedKey), hashSecret(secret));
    });
    const directory = new SqlCallerDirectory(database.pool, parseTestConfig(''));
    const find = () => directory.find(hashSecret(secret));
    expect((await find())?.caller.key.id).toBe('web');
    for (const mode of ['fast', 'immediate'] as const) {
      await server.stop(mode);
      const fault = await find().catch((error: unknown) => error);
      expect(fault).toMatchObject({ name: 'Fault', code: 'database-away', status: 503 });
      expect(inspect(fault, { depth: 9 })).not.toContain(hashSecret(secret));
      expect((await new DatabaseHealth(database.pool).fault())?.code).toBe('database-away');
      await server.start();
      expect((await find())?.caller.key.id).toBe('web');
      expect(await new DatabaseHealth(database.pool).fault()).toBeUndefined();
    }
    await database.close();
  });

  it('that is away at the start delays it, with a message that holds no password', async () => {
    const url = await server.createDatabase();
    await server.stop();
    let opening: Promise<Database> | undefined;
    const message = await new Promise<string>((announce) => {
      opening = open(url, { announce });
    });
    await server.start();
    const database = await opening;
    expect(database?.kind).toBe('postgres');
    await database?.close();
    expect(message).toBe(`waiting for the database: connect ECONNREFUSED 127.0.0.1:${new URL(url).port}`);
  });

  it('that stays away fails the start after the deadline, with the reason', async () => {
    const port = await closedPort();
    const signal = AbortSignal.timeout(50);
    const error = await open(`postgres://u:hidden@127.0.0.1:${port}/d`, { signal }).catch(itself);
    expect(error).toBeInstanceOf(DatabaseUnreachable);
    expect(String(error)).toContain(`cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}`);
    expect(isDatabaseAway(error)).toBe(true);
  });

  it('that has no such database fails the start at once', async () => {
    const url = new URL(server.url);
    url.pathname = '/nowhere';
    await expect(open(url.href)).rejects.toThrow('database "nowhere" does not exist');
  });

  it('whose connection breaks in a transaction fails it and rolls it back', async () => {
    const database = await open(await server.createDatabase());
    const broken = changeRecords(database.pool, async ({ stacks }) => {
      await stacks.save(storedStack);
      await breakConnections(database.pool.options.connectionString);
      return stacks.list();
    });
    const error = await broken.catch(itself);
    expect(isDatabaseAway(error)).toBe(true);
    expect(await readRecords(database.pool).stacks.list()).toEqual([]);
    await database.close();
  });

  it('whose connection breaks while rows are dumped fails the dump', async () => {
    const database = await open(await server.createDatabase());
    await changeRecords(database.pool, ({ stacks }) => stacks.save(storedStack));
    const dump = async () => {
      for await (const _ of dumpRows(database.pool))
        await breakConnections(database.pool.options.connectionString);
    };
    const error = await dump().catch(itself);
    expect(isDatabaseAway(error)).toBe(true);
    expect(await readRecords(database.pool).stacks.list()).toHaveLength(1);
    await database.close();
  });
});

function open(url: string, options: Partial<DatabaseOptions> = {}): Promise<Database> {
  const { signal } = new AbortController();
  return openDatabase({ url: new Secret(url), dataDir: '/nowhere', announce: () => {}, signal, ...options });
}

/** Ends every other connection to a database, and returns when they have ended. */
async function breakConnections(url = ''): Promise<void> {
  const pool = postgresPool(new Secret(url));
  await execute(
    pool,
    sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await pool.end();
}

function itself(thrown: unknown): unknown {
  return thrown;
}
