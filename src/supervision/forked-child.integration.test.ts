import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { badFork } from '../../testing/bad-child/launch-bad-child.ts';
import type { LaunchChild } from './child-port.ts';
import { forkedChild } from './forked-child.ts';
import { Supervised } from './supervised.ts';

const never = new AbortController().signal;
const long = { signal: never, deadlineMs: 25_000 };
let child: Supervised | undefined;
let parent: ChildProcess | undefined;

afterEach(async () => {
  await child?.stop(AbortSignal.abort());
  parent?.kill('SIGKILL');
});

function supervise(launch: LaunchChild): Supervised {
  child = new Supervised({
    name: 'bad child',
    launch,
    patience: { startTimeoutMs: 25_000, cancelGraceMs: 100, stopGraceMs: 10_000 },
    concurrency: 4,
    maxWaiting: 10,
    streamWindow: 4,
    backoff: { firstMs: 5, maxMs: 40, stableMs: 60_000, degradedAfterCrashes: 1 },
  });
  return child;
}

test.each([
  [{ operation: 'abort' }, 'SIGABRT'],
  [{ operation: 'signalSelf', name: 'SIGKILL' }, 'SIGKILL'],
  [{ operation: 'signalSelf', name: 'SIGSEGV' }, 'SIGSEGV'],
])('outlives a native crash in the middle of a request: %j', async (payload, signal) => {
  const bad = supervise(badFork('good'));
  const beside = bad.ask({ operation: 'ignoreCancel' }, long);
  const lost = { name: 'ChildLost', reason: 'crashed', cause: { signal } };
  const rejected = expect(beside).rejects.toMatchObject(lost);
  await expect(bad.ask(payload, long)).rejects.toMatchObject({ ...lost, started: true });
  await rejected;
  expect(await bad.ask({ operation: 'echo', value: 1 }, long)).toBe(1);
});

test.each([
  ['bytes that are no message', Buffer.from([0, 0, 0, 4, 1, 2, 3, 4])],
  ['the header of an endless message', Buffer.from([255, 255, 255, 255, 0])],
])('outlives stray bytes on the pipe: %s', async (_, bytes) => {
  const bad = supervise(badFork('good'));
  const answer = bad.ask({ operation: 'strayBytes', bytes }, long);
  await expect(answer).rejects.toMatchObject({ reason: 'misbehaved' });
  expect(await bad.ask({ operation: 'echo', value: 1 }, long)).toBe(1);
});

test('carries messages larger than a pipe holds, both ways', async () => {
  const bad = supervise(badFork('good'));
  const value = new Uint8Array(5 * 2 ** 20).fill(7);
  const answer = await bad.ask({ operation: 'echo', value }, long);
  expect(answer instanceof Uint8Array && Buffer.compare(answer, value)).toBe(0);
});

test('ignores SIGINT and SIGTERM, on which the parent acts', async () => {
  const bad = supervise(badFork('good'));
  await bad.ask({ operation: 'signalSelf', name: 'SIGTERM' }, long);
  await bad.ask({ operation: 'signalSelf', name: 'SIGINT' }, long);
  expect(await bad.ask({ operation: 'echo', value: 1 }, long)).toBe(1);
});

test.runIf(process.platform === 'linux')('leads a session, whose priority can be lowered', async () => {
  const who = String(await supervise(badFork('good')).ask({ operation: 'who' }, long));
  const id = who.split('/', 1)[0] ?? '';
  const [, , , session] = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  expect(session).toBe(id);
});

test('reports a child that cannot be started', async () => {
  const bad = supervise(forkedChild({ entry: '/nowhere.mjs', env: {}, folder: '/no/such/folder' }));
  await expect(bad.ready(never)).rejects.toMatchObject({ reason: 'crashed', cause: { exitCode: null } });
});

test.each(['untilCancelled', 'spinForever'])(
  'ends when its parent is killed, even while it is in: %s',
  async (operation) => {
    const entry = fileURLToPath(new URL('../../testing/bad-child/parent-of-bad-child.mjs', import.meta.url));
    parent = spawn(process.execPath, [entry, operation], { stdio: ['ignore', 'pipe', 'inherit'], env: {} });
    if (!parent.stdout) throw new Error('no output');
    const [line] = await once(parent.stdout, 'data');
    const childId = Number(String(line));
    expect(isRunning(childId)).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => isRunning(childId)).toBe(false);
  },
);

// Not with signal 0: a zombie still answers it.
function isRunning(processId: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${processId}/status`, 'utf8'));
  } catch {
    return false;
  }
}
