import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeDataFolder } from '../../../../testing/data-folder.ts';
import { unpackBrowser } from './unpack-browser.ts';
import { unpackTar } from './unpack-tar.ts';

it('unpacks the browser with its libraries, tells how far it is, and does it once', async () => {
  const dataDir = makeDataFolder();
  const shares: number[] = [];
  const signal = new AbortController().signal;
  const onProgress = (share: number) => shares.push(share);
  // Concurrently, like two processes on one data folder.
  const [one, other] = await Promise.all([
    unpackBrowser({ dataDir, onProgress, signal }),
    unpackBrowser({ dataDir, onProgress: () => {}, signal }),
  ]);
  expect(one).toEqual(other);
  expect(statSync(one.executable).mode & 0o111).toBe(0o111);
  expect((await readFile(one.executable)).subarray(1, 4).toString()).toBe('ELF');
  expect(readdirSync(one.libraries ?? '')).toContain('libnss3.so');
  expect(shares).toHaveLength(10);
  expect(shares.at(-1)).toBe(1);
  expect(readdirSync(join(dataDir, 'pdf'))).toHaveLength(1);
  await unpackBrowser({ dataDir, onProgress: () => expect.fail('unpacked again'), signal });
});

it('leaves nothing when it is stopped midway', async () => {
  const dataDir = makeDataFolder();
  const stopping = new AbortController();
  const work = unpackBrowser({ dataDir, onProgress: () => stopping.abort(), signal: stopping.signal });
  await expect(work).rejects.toThrow('aborted');
  expect(readdirSync(join(dataDir, 'pdf'))).toEqual([]);
});

it('writes files of an archive into one folder, wherever their paths lead', async () => {
  const folder = join(makeDataFolder(), 'target');
  mkdirSync(folder);
  await unpackTar(
    Buffer.concat([entry('../../evil.so', 'x'), entry('lib/', '', '5'), Buffer.alloc(1024)]),
    folder,
  );
  expect(readdirSync(join(folder, 'lib'))).toEqual(['evil.so']);
  expect(existsSync(join(folder, '..', '..', 'evil.so'))).toBe(false);
});

it('refuses an archive that is cut off', async () => {
  const folder = join(makeDataFolder(), 'target');
  mkdirSync(folder);
  await expect(unpackTar(entry('a', 'x'.repeat(2_000)).subarray(0, 1_024), folder)).rejects.toThrow(
    'cut off',
  );
});

function entry(name: string, content: string, type = '0'): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(content.length.toString(8).padStart(11, '0'), 124);
  header.write(type, 156);
  const body = Buffer.alloc(Math.ceil(content.length / 512) * 512);
  body.write(content);
  return Buffer.concat([header, body]);
}
