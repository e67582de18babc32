import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeDataFolder } from '../../../testing/data-folder.ts';
import { DatabaseInUse, lockDataFolder } from './data-folder-lock.ts';

const notServed = async (): Promise<boolean> => false;

function endedProcessId(): number {
  return spawnSync(process.execPath, ['--version']).pid;
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

  it('goes to exactly one of many who find it stale', async () => {
    const dataDir = makeDataFolder();
    writeFileSync(path.join(dataDir, 'database.lock'), '{"pid":1,"start":"long ago"}');
    const attempts = Array.from({ length: 20 }, () => lockDataFolder({ dataDir, isServed: notServed }));
    const results = await Promise.allSettled(attempts);
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });
});
