import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePipe } from '../../testing/make-pipe.ts';

/** Far above the duration of an exit on a busy machine. */
const HANGS_MS = 60_000;
/** More than any pipe buffers. */
const MANY_LINES = '30000';
const program = fileURLToPath(new URL('../../testing/fixtures/write-until-ended.mjs', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'server-output-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

type Output = 'pipe' | number;

function start(how: 'end' | 'crash', lines: string, output: Output = 'pipe'): ChildProcess {
  const child = spawn(process.execPath, [program, how, lines], { stdio: ['pipe', output, output] });
  const hangs = setTimeout(() => child.kill('SIGKILL'), HANGS_MS);
  child.once('exit', () => clearTimeout(hangs));
  return child;
}

async function textOf(stream: Readable | null): Promise<string> {
  return stream === null ? '' : await text(stream);
}

async function exitOf(child: ChildProcess): Promise<number | NodeJS.Signals> {
  const [code, signal] = await once(child, 'exit');
  return signal ?? code;
}

/** A pipe with an idle reader. */
function unreadPipe(): number {
  return openSync(makePipe(folder), constants.O_RDWR);
}

const ends = [
  ['end', 0],
  ['crash', 1],
] as const;

describe.each(ends)('a server that comes to its %s', (how, code) => {
  it('has written everything to its reader', async () => {
    const child = start(how, '3');
    const printed = Promise.all([textOf(child.stdout), textOf(child.stderr)]);
    child.stdin?.end();
    expect(await exitOf(child)).toBe(code);
    const [out, err] = await printed;
    expect(out).toMatch(/^ready\n0 x+\n1 x+\n2 x+\nlast line\n$/);
    expect(err).toMatch(/^last message\n/);
    expect(err.includes('crashed as told')).toBe(how === 'crash');
  });

  it('has written everything to a file', async () => {
    const path = join(folder, 'log');
    const log = openSync(path, 'a');
    const child = start(how, '30', log);
    closeSync(log);
    child.stdin?.end();
    expect(await exitOf(child)).toBe(code);
    expect(readFileSync(path, 'utf8').match(/^(ready|\d+ x+|last line|last message)$/gm)).toHaveLength(33);
  });

  it.each(['socket', 'pipe'])('does not wait for a blocked reader: a %s', async (kind) => {
    const pipe = kind === 'pipe' ? unreadPipe() : 'pipe';
    const child = start(how, MANY_LINES, pipe);
    child.stdin?.end();
    expect(await exitOf(child)).toBe(code);
    if (pipe !== 'pipe') closeSync(pipe);
  });

  it('exits cleanly if its reader closes before the last lines', async () => {
    const child = start(how, '0');
    await once(child.stdout ?? child, 'data');
    child.stdout?.destroy();
    child.stderr?.destroy();
    child.stdin?.end();
    expect(await exitOf(child)).toBe(code);
  });
});
