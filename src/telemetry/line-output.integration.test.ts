import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePipe } from '../../testing/make-pipe.ts';
import { LineOutput } from './line-output.ts';

const { O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } = constants;
const LINE = `${'x'.repeat(99)}\n`;

let folder: string;
let open: number[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'line-output-'));
  open = [];
});
afterEach(() => {
  for (const fd of open) closeSync(fd);
  rmSync(folder, { recursive: true });
});

function opened(path: string, flags: number | string): number {
  const fd = openSync(path, flags);
  open.push(fd);
  return fd;
}

/** Reads until the text matches. */
async function readUntil(fd: number, isAll: (text: string) => boolean): Promise<string> {
  const buffer = Buffer.alloc(256 * 1024);
  let text = '';
  const read = () => {
    try {
      text += buffer.toString('utf8', 0, readSync(fd, buffer));
    } catch {
      // Nothing to read yet.
    }
    return isAll(text);
  };
  await expect.poll(read, { interval: 1 }).toBe(true);
  return text;
}

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${index} ${LINE}`);
}

describe('lines on a pipe', () => {
  it('come together, in their order, without being asked for', async () => {
    const pipe = opened(makePipe(folder), O_RDWR | O_NONBLOCK);
    const output = new LineOutput({ fd: pipe, neverWaits: true });
    for (const line of ['one\n', 'two\n', 'drei € 世\n']) output.write(line);
    expect(await readUntil(pipe, (text) => text.endsWith('世\n'))).toBe('one\ntwo\ndrei € 世\n');
  });

  it('wait for a reader that is slow, and none is lost or torn', async () => {
    const pipe = opened(makePipe(folder), O_RDWR | O_NONBLOCK);
    const output = new LineOutput({ fd: pipe, neverWaits: true });
    const lines = numbered(5_000);
    for (const line of lines) output.write(line);
    output.write('end\n');
    expect(await readUntil(pipe, (text) => text.endsWith('end\n'))).toBe(`${lines.join('')}end\n`);
    expect(output.linesDropped).toBe(0);
  });

  it('are dropped without a reader, counted, and reported at their position', async () => {
    const pipe = opened(makePipe(folder), O_RDWR | O_NONBLOCK);
    const output = new LineOutput({ fd: pipe, neverWaits: true });
    output.onDropped((lines) => output.write(`${lines} are missing\n`));
    const lines = numbered(20_000);
    for (const line of lines) output.write(line);
    const dropped = output.linesDropped;
    expect(dropped).toBeGreaterThan(5_000);
    const isTold = (text: string) => text.endsWith(' are missing\n');
    const kept = lines.slice(0, lines.length - dropped);
    expect(await readUntil(pipe, isTold)).toBe(`${kept.join('')}${dropped} are missing\n`);
    output.write('back\n');
    expect(await readUntil(pipe, (text) => text.endsWith('back\n'))).toBe('back\n');
    expect(output.linesDropped).toBe(dropped);
  });

  it('wait for a reader to reconnect', async () => {
    const path = makePipe(folder);
    const first = openSync(path, O_RDONLY | O_NONBLOCK);
    const output = new LineOutput({ fd: opened(path, O_WRONLY | O_NONBLOCK), neverWaits: true });
    closeSync(first);
    output.write('while away\n');
    output.flush();
    const second = opened(path, O_RDONLY | O_NONBLOCK);
    output.write('back\n');
    expect(await readUntil(second, (text) => text.endsWith('back\n'))).toBe('while away\nback\n');
  });

  it.each([
    ['stopped reading', O_RDWR],
    ['went away', O_WRONLY],
  ])('do not keep the end waiting for a reader that %s', async (_, flags) => {
    const path = makePipe(folder);
    const reader = openSync(path, O_RDONLY | O_NONBLOCK);
    const output = new LineOutput({ fd: opened(path, flags | O_NONBLOCK), neverWaits: true });
    closeSync(reader);
    for (const line of numbered(5_000)) output.write(line);
    await output.close();
    output.closeNow();
  });
});

describe('lines in a file', () => {
  it('come in their order, also those of the last moment', async () => {
    const path = join(folder, 'log');
    const output = new LineOutput({ fd: opened(path, 'a'), neverWaits: false });
    const lines = numbered(1_000);
    for (const line of lines) output.write(line);
    await output.close();
    output.write('last\n');
    output.closeNow();
    expect(readFileSync(path, 'utf8')).toBe(`${lines.join('')}last\n`);
  });

  it('are kept while the disk is full, and do not keep the end waiting', async () => {
    const output = new LineOutput({ fd: opened('/dev/full', 'a'), neverWaits: false });
    for (const line of numbered(20_000)) output.write(line);
    expect(output.linesDropped).toBeGreaterThan(5_000);
    await output.close();
    output.closeNow();
  });
});
