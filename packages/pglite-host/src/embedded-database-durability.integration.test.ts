import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { copyClusterTemplate } from '../testing/cluster-template.ts';
import { makeDataFolder } from '../testing/data-folder.ts';
import { openEmbeddedDatabase } from './embedded-database.ts';
import type { EmbeddedDatabaseEvent } from './embedded-database-event.ts';

const SCRIPT = fileURLToPath(new URL('../testing/embedded-database-process.mjs', import.meta.url));

interface Writer {
  readonly child: ChildProcess;
  readonly lines: readonly string[];
  readonly stored: () => number;
}

function startWriter(dataDir: string, first: number): Writer {
  const child = spawn(process.execPath, [SCRIPT, dataDir, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  return { child, lines, stored: () => lines.filter((line) => line.startsWith('stored ')).length };
}

async function kill(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

async function openHere(dataDir: string, fullDisk?: SharedArrayBuffer) {
  const events: EmbeddedDatabaseEvent[] = [];
  const log = (event: EmbeddedDatabaseEvent): void => void events.push(event);
  const options = fullDisk === undefined ? { dataDir, log } : { dataDir, log, fullDisk };
  const database = await openEmbeddedDatabase(options);
  onTestFinished(() => database.close());
  return { ...database, events };
}

describe('the embedded database and kill -9', () => {
  it('keeps all acknowledged data over three kills', async () => {
    const dataDir = makeDataFolder();
    await copyClusterTemplate(dataDir);
    let acknowledged = 0;
    for (let round = 0; round < 3; round++) {
      const writer = startWriter(dataDir, acknowledged);
      await expect.poll(() => writer.stored()).toBeGreaterThan(40 + 30 * round);
      await kill(writer.child);
      const database = await openEmbeddedDatabase({ dataDir, log: () => {} });
      const { rows } = await database.pool.query(
        'SELECT count(*)::int AS count, max(value) AS max FROM numbers',
      );
      await database.close();
      expect(rows[0].count).toBe(rows[0].max + 1);
      // The last insert may have been stored without an acknowledgement.
      expect(rows[0].count - acknowledged - writer.stored()).toBeGreaterThanOrEqual(0);
      expect(rows[0].count - acknowledged - writer.stored()).toBeLessThanOrEqual(1);
      acknowledged = rows[0].count;
    }
  });

  it('is refused to a second process, with the folder and the process id', async () => {
    const dataDir = makeDataFolder();
    await copyClusterTemplate(dataDir);
    await openHere(dataDir);
    const second = startWriter(dataDir, 0);
    const [code] = await once(second.child, 'close');
    expect(code).toBe(1);
    expect(second.lines.join()).toContain(
      `DatabaseInUse: The database in ${dataDir} is in use by process ${process.pid}`,
    );
  });

  it('starts again if the first start was killed', async () => {
    const dataDir = makeDataFolder();
    const writer = startWriter(dataDir, 0);
    const unfinished = (): string[] => readdirSync(dataDir).filter((name) => name.includes('creating'));
    const hasFiles = (name: string): boolean => existsSync(path.join(dataDir, name, 'PG_VERSION'));
    await expect.poll(() => unfinished().some(hasFiles)).toBe(true);
    await kill(writer.child);
    expect(existsSync(path.join(dataDir, 'database'))).toBe(false);
    const { pool, events } = await openHere(dataDir);
    expect((await pool.query('SELECT 1 AS value')).rows).toEqual([{ value: 1 }]);
    expect(events.map((event) => event.type)).toEqual(['creation-start']);
    expect(unfinished()).toEqual([]);
  });
});

describe('the embedded database on a full disk', () => {
  it('fails writes and continues with all acknowledged data once there is space', async () => {
    const dataDir = makeDataFolder();
    await copyClusterTemplate(dataDir);
    const fullDisk = new SharedArrayBuffer(4);
    const { pool, events } = await openHere(dataDir, fullDisk);
    await pool.query('CREATE TABLE things (value int, filler text)');
    await pool.query(
      "INSERT INTO things SELECT value, repeat('x', 500) FROM generate_series(1, 2000) AS value",
    );

    Atomics.store(new Int32Array(fullDisk), 0, 1);
    const large = "INSERT INTO things SELECT value, repeat('x', 500) FROM generate_series(1, 60000) AS value";
    await expect(pool.query(large)).rejects.toMatchObject({ code: '53100' });
    expect((await pool.query('SELECT count(*)::int AS count FROM things')).rows).toEqual([{ count: 2000 }]);
    const lost = pool.query('INSERT INTO things VALUES (1)');
    await expect(lost).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect.poll(() => events.filter((each) => each.type === 'worker-lost').length).toBeGreaterThan(1);

    Atomics.store(new Int32Array(fullDisk), 0, 0);
    const insert = () =>
      pool.query('INSERT INTO things VALUES (1)').then(
        () => 'stored',
        (error: Error) => error.message,
      );
    await expect.poll(insert).toBe('stored');
    expect((await pool.query('SELECT count(*)::int AS count FROM things')).rows).toEqual([{ count: 2001 }]);
    expect(events[0]?.message).toContain('No space left on device');
  });
});
