import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeDataFolder } from '../testing/data-folder.ts';
import { DatabaseInUse, lockDataFolder } from './data-folder-lock.ts';

const notServed = async (): Promise<boolean> => false;

describe('the lock of a data folder', () => {
  it('has one holder and leaves no file behind', async () => {
    const dataDir = makeDataFolder();
    const unlock = await lockDataFolder({ dataDir, isServed: notServed });
    expect(readdirSync(dataDir)).toEqual(['database.lock']);
    await expect(lockDataFolder({ dataDir, isServed: notServed })).rejects.toThrow(DatabaseInUse);
    unlock();
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('is not taken from an owner whose process is not visible but answers', async () => {
    const dataDir = makeDataFolder();
    writeFileSync(path.join(dataDir, 'database.lock'), '{"pid":1,"start":"another container"}');
    const attempt = lockDataFolder({ dataDir, isServed: async () => true });
    await expect(attempt).rejects.toThrow(`The database in ${dataDir} is in use by process 1.`);
    expect(existsSync(path.join(dataDir, 'database.lock'))).toBe(true);
  });
});
