import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { realPostgresAvailable } from './postgres-binaries.ts';
import { startRealPostgres } from './real-postgres.ts';

const goneWithin = { timeout: 60_000, interval: 20 };

describe.skipIf(!realPostgresAvailable)('startRealPostgres', () => {
  it('answers queries on a port of 127.0.0.1 that only a password opens', async () => {
    await using server = await startRealPostgres();
    const address = new URL(server.url);
    expect(address.hostname).toBe('127.0.0.1');
    expect(await query(server.url, 'SELECT current_user::text AS answer')).toBe('postgres');
    address.password = 'wrong';
    await expect(query(address.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
  });

  it('keeps rows and port over a crash and a new start', async () => {
    await using server = await startRealPostgres();
    const { url, pid } = server;
    await query(url, 'CREATE TABLE fruit (name text)');
    await query(url, "INSERT INTO fruit VALUES ('pear')");
    await server.stop('immediate');
    expect(server.pid).toBeUndefined();
    expect(isAlive(pid)).toBe(false);
    await expect(query(url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
    await server.start();
    expect(server.url).toBe(url);
    expect(server.pid).not.toBe(pid);
    expect(await query(url, 'SELECT name AS answer FROM fruit')).toBe('pear');
  });

  it('stops fast though a client is connected, twice without complaint', async () => {
    await using server = await startRealPostgres();
    const client = new Client({ connectionString: server.url });
    const lost = new Promise((resolve) => client.on('error', resolve));
    await client.connect();
    await server.stop();
    await lost;
    await server.stop();
    await server.start();
    await server.start();
    expect(await query(server.url, "SELECT 'here' AS answer")).toBe('here');
  });

  it('creates databases that share nothing', async () => {
    await using server = await startRealPostgres();
    const [one, other] = await Promise.all([server.createDatabase(), server.createDatabase()]);
    await query(one, 'CREATE TABLE fruit (name text)');
    expect(await query(one, "SELECT to_regclass('fruit')::text AS answer")).toBe('fruit');
    expect(await query(other, "SELECT to_regclass('fruit')::text AS answer")).toBeNull();
  });

  it('takes settings over its quick ones', async () => {
    await using server = await startRealPostgres({ fsync: 'on' });
    expect(await query(server.url, "SELECT current_setting('fsync') AS answer")).toBe('on');
  });

  it('says what PostgreSQL said when it cannot start', async () => {
    await expect(startRealPostgres({ fsync: 'perhaps' })).rejects.toThrow('requires a Boolean value');
  });

  it('leaves neither process nor files when disposed', async () => {
    const server = await startRealPostgres();
    const { pid } = server;
    const data = await dataFolder(server.url);
    await server[Symbol.asyncDispose]();
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(data)).toBe(false);
    await expect(server.start()).rejects.toThrow('disposed');
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)('ends when its process ends by %s', async (signal) => {
    const script = fileURLToPath(new URL('./start-and-wait.mjs', import.meta.url));
    const owner = fork(script, { execArgv: [] });
    const [{ url, pid }] = await once(owner, 'message');
    const data = await dataFolder(url);
    expect(isAlive(pid)).toBe(true);
    owner.kill(signal);
    await vi.waitUntil(() => !isAlive(pid) && !existsSync(data), goneWithin);
  });

  it.runIf(process.platform === 'linux')('ends when its keeper is killed', async () => {
    await using server = await startRealPostgres();
    const { pid } = server;
    const data = await dataFolder(server.url);
    process.kill(parentOf(pid), 'SIGKILL');
    await vi.waitUntil(() => !isAlive(pid) && !existsSync(data), goneWithin);
    expect(server.pid).toBeUndefined();
  });
});

async function query(url: string, statement: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows[0]?.answer;
  } finally {
    await client.end();
  }
}

async function dataFolder(url: string): Promise<string> {
  return String(await query(url, "SELECT current_setting('data_directory') AS answer"));
}

/** A zombie counts as gone: it holds no resources. */
function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return process.platform !== 'linux' || !/^State:\s+Z/m.test(readStatus(pid));
}

function parentOf(pid: number | undefined): number {
  return Number(/^PPid:\s+(\d+)/m.exec(readStatus(pid))?.[1]);
}

function readStatus(pid: number | undefined): string {
  const path = `/proc/${pid}/status`;
  return existsSync(path) ? readFileSync(path, 'utf8') : 'State: Z';
}
