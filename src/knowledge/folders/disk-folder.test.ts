import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeDataFolder } from '../../../testing/data-folder.ts';
import { DiskFolder, SETTLE_MS } from './disk-folder.ts';

const { signal } = new AbortController();
const LATER_MS = 3_600_000;

describe('a folder on the disk', () => {
  let root: string;
  let folder: DiskFolder;
  let nowMs: () => number;
  beforeEach(() => {
    root = join(makeDataFolder(), 'docs');
    mkdirSync(root);
    nowMs = () => Date.now() + LATER_MS;
    folder = new DiskFolder(root, { nowMs: () => nowMs() });
  });

  it('lists files at any depth, without hidden ones, locks, copies of editors and downloads', async () => {
    for (const path of ['b.md', 'de/at/a.md', 'a.md']) write(path);
    for (const path of ['.git/a.md', '.a.md', '~$a.docx', 'a.md~', 'a.pdf.part', 'x/.b/c.md']) write(path);
    expect(await paths()).toEqual(['a.md', 'b.md', 'de/at/a.md']);
  });

  it('follows links to files inside, and none to folders or out of it', async () => {
    const secret = join(dirname(root), 'secret.md');
    writeFileSync(secret, 'secret');
    write('..data/a.md');
    symlinkSync('..data/a.md', join(root, 'inside.md'));
    symlinkSync(secret, join(root, 'outside.md'));
    symlinkSync('..', join(root, 'up'));
    symlinkSync('.', join(root, 'circle'));
    symlinkSync('nowhere.md', join(root, 'broken.md'));
    symlinkSync('self.md', join(root, 'self.md'));
    expect(await paths()).toEqual(['inside.md']);
    const [inside] = (await folder.list(signal)).files;
    rmSync(join(root, 'inside.md'));
    symlinkSync(secret, join(root, 'inside.md'));
    expect(inside && (await folder.read(inside, signal))).toBeUndefined();
  });

  it('may be a link itself', async () => {
    write('a.md', 'text');
    symlinkSync(root, `${root}-link`);
    const linked = new DiskFolder(`${root}-link`, { nowMs: () => nowMs() });
    const [file] = (await linked.list(signal)).files;
    expect(file && Buffer.from((await linked.read(file, signal)) ?? []).toString()).toBe('text');
  });

  it('waits for a file that was just written', async () => {
    write('a.md');
    nowMs = Date.now;
    expect((await folder.list(signal)).files).toMatchObject([{ path: 'a.md', isWaiting: true }]);
    nowMs = () => Date.now() + 2 * SETTLE_MS;
    expect((await folder.list(signal)).files).toMatchObject([{ path: 'a.md', isWaiting: false }]);
  });

  it('reads nothing of a file that changed since it was listed, or is gone', async () => {
    write('a.md', 'one');
    const [file] = (await folder.list(signal)).files;
    if (file === undefined) throw new Error('it is not listed');
    expect(Buffer.from((await folder.read(file, signal)) ?? []).toString()).toBe('one');
    appendFileSync(join(root, 'a.md'), ' and more');
    expect(await folder.read(file, signal)).toBeUndefined();
    rmSync(join(root, 'a.md'));
    expect(await folder.read(file, signal)).toBeUndefined();
  });

  it('marks a file by its size and time', async () => {
    write('a.md', 'one');
    const mark = async () => (await folder.list(signal)).files[0]?.mark;
    const first = await mark();
    expect(await mark()).toBe(first);
    utimesSync(join(root, 'a.md'), 1, 1);
    const second = await mark();
    expect(second).not.toBe(first);
    truncateSync(join(root, 'a.md'), 1);
    utimesSync(join(root, 'a.md'), 1, 1);
    expect(await mark()).not.toBe(second);
  });

  // For root every folder can be read.
  it.skipIf(process.getuid?.() === 0)(
    'tells which folders it cannot read, and lists the others',
    async () => {
      write('a.md');
      write('closed/b.md');
      chmodSync(join(root, 'closed'), 0o000);
      const { files, unread } = await folder.list(signal);
      chmodSync(join(root, 'closed'), 0o700);
      expect(files.map(({ path }) => path)).toEqual(['a.md']);
      expect([...unread]).toEqual([['closed', 'EACCES']]);
    },
  );

  it('throws if it is missing or no folder', async () => {
    await expect(new DiskFolder(join(root, 'none'), { nowMs }).list(signal)).rejects.toThrow('ENOENT');
    write('a.md');
    await expect(new DiskFolder(join(root, 'a.md'), { nowMs }).list(signal)).rejects.toThrow('ENOTDIR');
  });

  it('tells of changes in folders that it has listed, until it is disposed', async () => {
    write('de/a.md');
    let tell = () => {};
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const events = folder.watch(() => tell());
    await folder.list(signal);
    write('de/b.md');
    await told;
    events[Symbol.dispose]();
  });

  const paths = async () => (await folder.list(signal)).files.map(({ path }) => path);

  function write(path: string, text = 'text'): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
});
