import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { afterEach, expect, it } from 'vitest';
import { badFork, badWorker } from '../../testing/bad-child/launch-bad-child.ts';
import type { LaunchChild } from './child-port.ts';
import { type ChildPriority, lowerProcess, lowerThread } from './child-priority.ts';
import { Supervised } from './supervised.ts';

const onLinux = it.runIf(process.platform === 'linux');
const long = { signal: new AbortController().signal, deadlineMs: 25_000 };
const own = getPriority();
const lower = { heavy: Math.min(19, own + 5), background: Math.min(19, own + 10) };
let child: Supervised | undefined;

afterEach(async () => {
  await child?.stop(AbortSignal.abort());
});

/** Undefined if the kernel has no autogroups. */
function autogroup(id: number | 'self'): string | undefined {
  const file = `/proc/${id}/autogroup`;
  return existsSync(file) ? readFileSync(file, 'latin1').trim() : undefined;
}

async function nicenessOf(launch: LaunchChild, priority?: ChildPriority): Promise<unknown> {
  child = new Supervised({
    name: 'bad child',
    launch,
    ...(priority && { priority }),
    patience: { startTimeoutMs: 25_000, cancelGraceMs: 100, stopGraceMs: 10_000 },
    concurrency: 1,
    maxWaiting: 10,
    streamWindow: 4,
  });
  return await child.ask({ operation: 'niceness' }, long);
}

onLinux.each(['heavy', 'background'] as const)(
  'lowers every thread of a child process: %s',
  async (priority) => {
    expect(await nicenessOf(badFork('good'), priority)).toEqual({
      thread: lower[priority],
      all: [lower[priority]],
    });
    expect(getPriority()).toBe(own);
  },
);

onLinux('lowers a child that is a thread, and no other thread of its process', async () => {
  expect(await nicenessOf(badWorker('good'), 'heavy')).toMatchObject({ thread: lower.heavy });
  expect(getPriority()).toBe(own);
});

onLinux.each([
  ['process', badFork],
  ['thread', badWorker],
] as const)('leaves a child without a priority as it is: a %s', async (_, launch) => {
  expect(await nicenessOf(launch('good'))).toMatchObject({ thread: own });
});

onLinux('lowers a child that still loads', async () => {
  const loading = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
  const thread = loading.pid ?? 0;
  const launch: LaunchChild = (listener) => {
    listener.message({ type: 'alive', thread });
    return { send() {}, kill: () => listener.ended({ exitCode: 0, signal: null }) };
  };
  try {
    nicenessOf(launch, 'heavy').catch(() => {});
    expect(getPriority(thread)).toBe(lower.heavy);
  } finally {
    loading.kill('SIGKILL');
    await once(loading, 'exit');
  }
});

onLinux('lowers children that lead a session, and never the session of this process', async () => {
  const before = autogroup('self');
  const sleepers = [0, 1].map(() =>
    spawn(process.execPath, ['-e', 'process.stdin.resume()'], { detached: true }),
  );
  const ids = sleepers.map((sleeper) => sleeper.pid ?? 0);
  try {
    for (const id of ids) lowerProcess(id, 'heavy');
    // Whether the kernel lets their sessions be changed as well depends on the machine and its other tenants.
    for (const id of ids) expect(getPriority(id)).toBe(lower.heavy);
    expect(autogroup('self')).toBe(before);
  } finally {
    for (const sleeper of sleepers) {
      sleeper.kill('SIGKILL');
      await once(sleeper, 'exit');
    }
  }
});

it('does nothing where there is no such process or thread', () => {
  lowerProcess(2 ** 30, 'heavy');
  lowerThread(2 ** 30, 'background');
  expect(getPriority()).toBe(own);
});
