import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeDataFolder } from '../../../testing/data-folder.ts';
import { compiledEntry } from '../../lib/compiled-entry.ts';
import { DatabaseInUse, lockDataFolder } from './data-folder-lock.ts';

const notServed = async (): Promise<boolean> => false;

function endedProcessId(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}

/** Says whether a process of its own got the lock; the process keeps it until the test is over. */
async function lockInProcess(dataDir: string): Promise<string> {
  const module = compiledEntry(import.meta.url, './data-folder-lock.js');
  const script = `
    import { lockDataFolder } from ${JSON.stringify(pathToFileURL(module).href)};
    const options = { dataDir: ${JSON.stringify(dataDir)}, isServed: async () => false };
    console.log(await lockDataFolder(options).then(() => 'mine', (error) => error.name));
    process.stdin.resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [output] = await once(child.stdout, 'data');
  return output.toString().trim();
}

describe('the lock of a data folder', () => {
  it('is given to one and leaves nothing behind', async () => {
    const dataDir = makeDataFolder();
    const unlock = await lockDataFolder({ dataDir, isServed: notServed });
    expect(readdirSync(dataDir)).toEqual(['database.lock']);
    await expect(lockDataFolder({ dataDir, isServed: notServed })).rejects.toThrow(DatabaseInUse);
    unlock();
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it.each([
    ['a process that has ended', JSON.stringify({ pid: endedProcessId(), start: 'boot 1' })],
    ['a process that has ended, on a platform without start times', `{"pid":${endedProcessId()},"start":""}`],
    ['an earlier process with the number of this one', JSON.stringify({ pid: process.pid, start: 'boot 1' })],
    ['nobody, emptied by a power cut', ''],
  ])('is taken over from %s', async (_who, content) => {
    const dataDir = makeDataFolder();
    writeFileSync(path.join(dataDir, 'database.lock'), content);
    writeFileSync(path.join(dataDir, 'database.lock.takeover'), content);
    const unlock = await lockDataFolder({ dataDir, isServed: notServed });
    expect(readdirSync(dataDir)).toEqual(['database.lock']);
    unlock();
  });

  it('is not taken from an owner that cannot be seen but answers', async () => {
    const dataDir = makeDataFolder();
    writeFileSync(path.join(dataDir, 'database.lock'), '{"pid":1,"start":"another container"}');
    const attempt = lockDataFolder({ dataDir, isServed: async () => true });
    await expect(attempt).rejects.toThrow(`The database in ${dataDir} is in use by process 1.`);
    expect(existsSync(path.join(dataDir, 'database.lock'))).toBe(true);
  });

  it('goes to exactly one of several processes that find it stale', async () => {
    const dataDir = makeDataFolder();
    writeFileSync(path.join(dataDir, 'database.lock'), '{"pid":1,"start":"long ago"}');
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => lockInProcess(dataDir)));
    expect(outcomes.toSorted()).toEqual([...Array(5).fill('DatabaseInUse'), 'mine']);
  });
});
