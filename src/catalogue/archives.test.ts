import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeDataFolder } from '../../testing/data-folder.ts';
import { type ArchiveContent, madeTarball, madeZip } from '../../testing/models/made-archives.ts';
import { madeModel, sha256Of } from '../../testing/models/made-files.ts';
import { extractFromTarball } from './tar-archive.ts';
import { extractFromZip } from './zip-archive.ts';

const long = `package/${'long/'.repeat(30)}file.bin`;
const content = {
  'package/first.bin': madeModel(150_000, 'first'),
  'package/second.bin': madeModel(70_001, 'second'),
  'package/../../escape.bin': Buffer.from('never written where it says'),
  [long]: madeModel(513, 'long'),
};
const signal = new AbortController().signal;

describe.each([
  ['a wheel', madeZip, extractFromZip],
  ['an npm pack', madeTarball, extractFromTarball],
])('%s', (_name, make, extract) => {
  const unpack = async (bytes: Buffer, wanted: readonly string[], maxBytes = 1_000_000) => {
    const folder = makeDataFolder();
    const archive = join(folder, 'archive');
    writeFileSync(archive, bytes);
    const targets = new Map(wanted.map((path, index) => [path, join(folder, `${index}`)]));
    await extract(archive, targets, { maxBytes, signal });
    return wanted.map((_, index) => readFileSync(join(folder, `${index}`)));
  };

  it('extracts the requested files only', async () => {
    const wanted = ['package/second.bin', 'package/first.bin', long];
    const expected: ArchiveContent = content;
    const hashes = (all: readonly (Buffer | undefined)[]) =>
      all.map((bytes) => sha256Of(bytes ?? Buffer.alloc(0)));
    expect(hashes(await unpack(make(content), wanted))).toEqual(hashes(wanted.map((path) => expected[path])));
    expect(existsSync('/tmp/escape.bin')).toBe(false);
  });

  it('without a requested file is refused, with its name', async () => {
    await expect(unpack(make(content), ['package/none.bin'])).rejects.toThrow(
      'package/none.bin is not in the package',
    );
  });

  it('that unpacks to more than expected is stopped', async () => {
    await expect(unpack(make(content), ['package/first.bin'], 1000)).rejects.toThrow(
      'larger than it should be',
    );
  });

  it('that is cut short or no archive at all is refused', async () => {
    const whole = make(content);
    await expect(unpack(whole.subarray(0, 100_000), ['package/second.bin'])).rejects.toThrow(
      /the package is/,
    );
    await expect(unpack(Buffer.from('<html>'), ['package/second.bin'])).rejects.toThrow(/the package is/);
  });
});
