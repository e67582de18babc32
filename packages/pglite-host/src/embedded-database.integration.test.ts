import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createConnection, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { copyClusterTemplate } from '../testing/cluster-template.ts';
import { makeDataFolder } from '../testing/data-folder.ts';
import { DatabaseInUse } from './data-folder-lock.ts';
import {
  type EmbeddedDatabase,
  type EmbeddedDatabaseOptions,
  openEmbeddedDatabase,
} from './embedded-database.ts';
import type { EmbeddedDatabaseEvent } from './embedded-database-event.ts';
import { connectToRunningServer } from './running-server.ts';
import { encodeMessage, encodeText, fromClient, fromServer, SYNC } from './wire-messages.ts';

interface Opened extends EmbeddedDatabase {
  readonly dataDir: string;
  readonly events: readonly EmbeddedDatabaseEvent[];
}

async function open(options: Partial<EmbeddedDatabaseOptions> = {}): Promise<Opened> {
  const dataDir = options.dataDir ?? makeDataFolder();
  await copyClusterTemplate(dataDir);
  const events: EmbeddedDatabaseEvent[] = [];
  const database = await openEmbeddedDatabase({ ...options, dataDir, log: (event) => events.push(event) });
  onTestFinished(() => database.close());
  return { ...database, dataDir, events };
}

function shareDatabase(): () => Opened {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'stackgate-test-'));
  const events: EmbeddedDatabaseEvent[] = [];
  let database: EmbeddedDatabase | undefined;
  beforeAll(async () => {
    await copyClusterTemplate(dataDir);
    database = await openEmbeddedDatabase({ dataDir, log: (event) => events.push(event) });
  });
  afterAll(async () => {
    await database?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return () => {
    if (database === undefined) throw new Error('the shared database is not open');
    return { ...database, dataDir, events };
  };
}

async function connect(dataDir: string): Promise<pg.Client> {
  const client = new pg.Client({ host: dataDir, port: 5432, user: 'anybody', database: 'anything' });
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end().catch(() => undefined));
  return client;
}

function openRawConnection(dataDir: string) {
  const socket = createConnection(path.join(dataDir, '.s.PGSQL.5432'));
  onTestFinished(() => void socket.destroy());
  const request = async (bytes: Buffer): Promise<Buffer> => {
    let answer = Buffer.alloc(0);
    socket.write(bytes);
    while (answer.at(-6) !== fromServer.ready) {
      const [chunk] = await once(socket, 'data');
      answer = Buffer.concat([answer, chunk]);
    }
    return answer;
  };
  return { socket, request };
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name));
}

async function count(source: pg.Pool | pg.Client, table: string): Promise<number> {
  const { rows } = await source.query(`SELECT count(*)::int AS count FROM ${table}`);
  return rows[0].count;
}

/** For tests that change nothing that others see: opening one takes seconds. */
const shared = shareDatabase();

describe('the embedded database', () => {
  it('answers, keeps its files private and leaves neither lock nor socket', async () => {
    const { pool, close, dataDir } = await open();
    await pool.query('CREATE TABLE things (name text, data bytea)');
    const data = Buffer.alloc(3_000_000, 7);
    await pool.query('INSERT INTO things VALUES ($1, $2)', ['å', data]);
    const { rows } = await pool.query('SELECT name, data FROM things');
    expect(rows[0].name).toBe('å');
    expect(data.equals(rows[0].data)).toBe(true);
    const readable = filesIn(path.join(dataDir, 'database')).filter(
      (file) => (statSync(file).mode & 0o077) !== 0,
    );
    expect(readable).toEqual([]);
    expect(statSync(path.join(dataDir, 'database')).mode & 0o777).toBe(0o700);
    await close();
    expect(readdirSync(dataDir)).toEqual(['database']);
  });

  it('keeps its data after it was closed', async () => {
    const first = await open();
    await first.pool.query('CREATE TABLE things AS SELECT 7 AS value');
    await first.close();
    const second = await openEmbeddedDatabase({ dataDir: first.dataDir, log: () => {} });
    onTestFinished(() => second.close());
    expect((await second.pool.query('SELECT value FROM things')).rows).toEqual([{ value: 7 }]);
  });

  it('refuses to be opened twice', async () => {
    const { dataDir, pool } = shared();
    const second = openEmbeddedDatabase({ dataDir, log: () => {} });
    await expect(second).rejects.toThrow(DatabaseInUse);
    await expect(pool.query('SELECT 1')).resolves.toBeDefined();
  });

  it('runs with fsync and little memory', async () => {
    const { pool } = shared();
    const { rows } = await pool.query(
      "SELECT current_setting('fsync') AS fsync, current_setting('shared_buffers') AS buffers",
    );
    expect(rows).toEqual([{ fsync: 'on', buffers: '16MB' }]);
  });

  it('ends a statement that takes too long and recovers by itself', async () => {
    const { pool, events } = await open({ statementTimeoutMs: 1_500 });
    await pool.query('CREATE TABLE things AS SELECT 1 AS value');
    const endless = pool.query('SELECT count(*) FROM generate_series(1, 100000000000)');
    await expect(endless).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect(pool.query('SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await expect.poll(async () => await count(pool, 'things')).toBe(1);
    expect(events.map((event) => event.type)).toEqual(['worker-lost', 'worker-restored']);
  });

  it('comes back with everything acknowledged when its PostgreSQL dies', async () => {
    const { pool, events } = await open();
    await pool.query('CREATE TABLE things AS SELECT 1 AS value');
    // The comment hides COPY from the check that refuses it; PostgreSQL then exits with FATAL.
    const fatal = pool.query('/* */ COPY things FROM STDIN');
    await expect(fatal).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect.poll(async () => await count(pool, 'things')).toBe(1);
    expect(events.map((event) => event.type)).toEqual(['worker-lost', 'worker-restored']);
  });

  it('writes a checkpoint when something was written', async () => {
    const { pool } = await open({ checkpointIntervalMs: 50 });
    const checkpoint = async (): Promise<string> =>
      (await pool.query('SELECT redo_lsn::text AS position FROM pg_control_checkpoint()')).rows[0].position;
    const before = await checkpoint();
    await pool.query('CREATE TABLE things AS SELECT 1 AS value');
    await expect.poll(async () => await checkpoint()).not.toBe(before);
  });

  it('vacuums at intervals', async () => {
    const { pool } = await open({ vacuumIntervalMs: 50 });
    await pool.query('CREATE TABLE things AS SELECT generate_series(1, 1000) AS value');
    const estimate = async (): Promise<number> =>
      (await pool.query("SELECT reltuples::int AS rows FROM pg_class WHERE relname = 'things'")).rows[0].rows;
    await expect.poll(async () => await estimate()).toBe(1000);
  });
});

describe('the socket of the embedded database', () => {
  it('is open to the owner only', async () => {
    const { dataDir } = shared();
    expect(statSync(path.join(dataDir, '.s.PGSQL.5432')).mode & 0o777).toBe(0o600);
  });

  it('serves the command line only while the server runs', async () => {
    const { dataDir, pool, close } = await open();
    await pool.query('CREATE TABLE things AS SELECT 1 AS value');
    const other = await connectToRunningServer(dataDir);
    expect(await other?.query('SELECT value FROM things')).toMatchObject({ rows: [{ value: 1 }] });
    await other?.end();
    await close();
    expect(await connectToRunningServer(dataDir)).toBeUndefined();
  });

  it.skipIf(!existsSync('/usr/bin/psql'))('understands psql', async () => {
    const { dataDir } = shared();
    const commands = ['-c', 'CREATE TABLE things2 (value int)', '-c', '\\dt', '-c', 'TABLE things2'];
    const psql = ['-X', '-h', dataDir, '-U', 'postgres', ...commands];
    const { stdout, stderr } = await promisify(execFile)('/usr/bin/psql', psql);
    expect(stderr).toBe('');
    expect(stdout).toContain('public | things2 | table');
  });

  it.skipIf(process.platform !== 'linux')('works in a folder with a path too long for sockets', async () => {
    const dataDir = path.join(makeDataFolder(), 'x'.repeat(120));
    mkdirSync(dataDir);
    const { events } = await open({ dataDir });
    expect(events).toEqual([]);
    const other = await connectToRunningServer(dataDir);
    expect(await other?.query('SELECT 1 AS value')).toMatchObject({ rows: [{ value: 1 }] });
    await other?.end();
  });

  it('keeps named statements of two connections apart', async () => {
    const { dataDir, pool } = shared();
    const client = await connect(dataDir);
    for (let round = 0; round < 3; round++) {
      const [first, second] = await Promise.all([
        pool.query({ name: 'same', text: 'SELECT 1 AS value' }),
        client.query({ name: 'same', text: "SELECT 'two' AS value" }),
      ]);
      expect([first.rows[0].value, second.rows[0].value]).toEqual([1, 'two']);
    }
  });

  it.each(['DISCARD ALL', 'DEALLOCATE ALL'])('keeps the statements of others after %s', async (command) => {
    const { dataDir, pool } = shared();
    const prepared = { name: 'kept', text: 'SELECT 1 AS value' };
    await pool.query(prepared);
    const client = await connect(dataDir);
    await client.query(command);
    expect((await pool.query(prepared)).rows).toEqual([{ value: 1 }]);
  });

  it('drops the statements, settings and temporary tables of a connection that ends', async () => {
    const { dataDir, pool } = await open();
    const client = await connect(dataDir);
    await client.query({ name: 'mine', text: 'SELECT 1' });
    await client.query('PREPARE by_hand AS SELECT 1');
    await client.query('CREATE TEMPORARY TABLE scratch (value int)');
    await client.query("SET search_path = 'pg_catalog'");
    await client.end();
    const leftovers = `SELECT (SELECT count(*)::int FROM pg_prepared_statements) AS statements,
      to_regclass('scratch') AS scratch, current_setting('search_path') AS path`;
    const clean = { statements: 0, scratch: null, path: 'public' };
    await expect.poll(async () => (await pool.query(leftovers)).rows).toEqual([clean]);
  });

  it('does not let settings of one connection reach another', async () => {
    const { dataDir, pool } = shared();
    const client = await connect(dataDir);
    await client.query("SET search_path = 'pg_catalog'");
    expect((await pool.query('SHOW search_path')).rows).toEqual([{ search_path: 'public' }]);
  });

  it('keeps other connections out of a transaction', async () => {
    const { dataDir, pool } = shared();
    await pool.query('CREATE TABLE things6 (value int)');
    const client = await connect(dataDir);
    await client.query('BEGIN');
    await client.query('INSERT INTO things6 VALUES (1)');
    const order: string[] = [];
    const outside = count(pool, 'things6').then((seen) => order.push(`pool saw ${seen}`));
    await client.query('INSERT INTO things6 VALUES (2)');
    order.push('second insert');
    await client.query('ROLLBACK');
    await outside;
    expect(order).toEqual(['second insert', 'pool saw 0']);
  });

  it('rolls back when a client dies in a transaction', async () => {
    const { dataDir, pool } = shared();
    await pool.query('CREATE TABLE things7 (value int)');
    const socket = new Socket();
    const client = new pg.Client({ user: 'postgres', host: dataDir, port: 5432, stream: () => socket });
    client.on('error', () => {});
    await client.connect();
    await client.query('BEGIN');
    await client.query('INSERT INTO things7 VALUES (1)');
    const outside = count(pool, 'things7');
    socket.destroy();
    expect(await outside).toBe(0);
  });

  it('disconnects a client that is idle in its transaction', async () => {
    const { dataDir, pool, events } = await open({ socketIdleInTransactionMs: 200 });
    await pool.query('CREATE TABLE things (value int)');
    const client = await connect(dataDir);
    const cut = new Promise<Error>((resolve) => client.once('error', resolve));
    await client.query('BEGIN');
    await client.query('INSERT INTO things VALUES (1)');
    expect(await count(pool, 'things')).toBe(0);
    expect(await cut).toMatchObject({ code: '25P03' });
    expect(events.map((event) => event.type)).toEqual(['connection-cut']);
  });

  it('keeps an unnamed statement during the turns of others', async () => {
    const { dataDir, pool } = shared();
    const { request } = openRawConnection(dataDir);
    await request(Buffer.from([0, 0, 0, 9, 0, 3, 0, 0, 0]));
    const parse = encodeMessage(fromClient.parse, encodeText(''), encodeText('SELECT 4711'), Buffer.alloc(2));
    await request(Buffer.concat([parse, SYNC]));
    await pool.query('SELECT $1::int', [1]);
    const bind = encodeMessage(fromClient.bind, encodeText(''), encodeText(''), Buffer.alloc(6));
    const execute = encodeMessage(fromClient.execute, encodeText(''), Buffer.alloc(4));
    expect((await request(Buffer.concat([bind, execute, SYNC]))).toString()).toContain('4711');
  });

  it('keeps the session for a client that has flushed until it syncs', async () => {
    const { dataDir, pool } = shared();
    const { socket, request } = openRawConnection(dataDir);
    await request(Buffer.from([0, 0, 0, 9, 0, 3, 0, 0, 0]));
    const parse = encodeMessage(fromClient.parse, encodeText(''), encodeText('SELECT 4712'), Buffer.alloc(2));
    const flush = encodeMessage(fromClient.flush);
    const parsed = once(socket, 'data');
    socket.write(Buffer.concat([parse, flush]));
    expect((await parsed)[0]).toEqual(encodeMessage(fromServer.parseComplete));
    const order: string[] = [];
    const outside = pool.query('SELECT 1').then(() => order.push('pool'));
    const bind = encodeMessage(fromClient.bind, encodeText(''), encodeText(''), Buffer.alloc(6));
    const execute = encodeMessage(fromClient.execute, encodeText(''), Buffer.alloc(4));
    const executed = once(socket, 'data');
    socket.write(Buffer.concat([bind, execute, flush]));
    expect((await executed)[0].toString()).toContain('4712');
    order.push('client');
    await request(SYNC);
    await outside;
    expect(order).toEqual(['client', 'pool']);
  });

  it('refuses COPY FROM STDIN and keeps working', async () => {
    const { dataDir, pool, events } = shared();
    await pool.query('CREATE TABLE things8 (value int)');
    const client = await connect(dataDir);
    await expect(client.query('COPY things8 FROM STDIN')).rejects.toMatchObject({ code: '0A000' });
    await expect(client.query('SELECT 1')).resolves.toBeDefined();
    expect(events).toEqual([]);
  });

  it('limits the number of connections', async () => {
    const { dataDir } = await open();
    for (let index = 0; index < 20; index++) await connect(dataDir);
    await expect(connect(dataDir)).rejects.toMatchObject({ code: '53300' });
  });

  it('refuses a message type on which PostgreSQL would exit', async () => {
    const { dataDir, pool, events } = shared();
    const socket = createConnection(path.join(dataDir, '.s.PGSQL.5432'));
    const answer: Buffer[] = [];
    socket.on('data', (chunk) => answer.push(Buffer.from(chunk)));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(Buffer.from([0, 0, 0, 9, 0, 3, 0, 0, 0]));
    socket.write(Buffer.concat([encodeMessage('~'.charCodeAt(0)), SYNC]));
    await closed;
    expect(Buffer.concat(answer).toString()).toContain('08P01');
    await expect(pool.query('SELECT 1')).resolves.toBeDefined();
    expect(events).toEqual([]);
  });

  it('ends a connection that does not speak the protocol', async () => {
    const { dataDir, pool } = shared();
    const socket = createConnection(path.join(dataDir, '.s.PGSQL.5432'));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resume().write('GET / HTTP/1.1\r\n\r\n');
    await closed;
    await expect(pool.query('SELECT 1')).resolves.toBeDefined();
  });
});
