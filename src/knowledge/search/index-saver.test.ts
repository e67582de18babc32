import { expect, it } from 'vitest';
import { IndexSaver } from './index-saver.ts';

/** Timers run when they are told to; saving takes as long as `tookMs` says. */
function savedBy() {
  const saved: string[] = [];
  const failures: unknown[] = [];
  const timers: { delayMs: number; run: () => void }[] = [];
  const state = { nowMs: 0, tookMs: 10, during: () => {} };
  const saver = new IndexSaver({
    save: async (stackId) => {
      saved.push(stackId);
      state.nowMs += state.tookMs;
      state.during();
      if (stackId === 'bad') throw new Error('the disk is full');
    },
    onFailure: (error) => failures.push(error),
    clock: {
      nowMs: () => state.nowMs,
      after: (delayMs, run) => {
        timers.push({ delayMs, run });
        return { cancel: () => {} };
      },
    },
    delayMs: 1_000,
  });
  const elapse = async () => {
    timers.shift()?.run();
    await new Promise(setImmediate);
  };
  return { saver, saved, failures, timers, state, elapse };
}

it('saves many changes of an index once', async () => {
  const { saver, saved, timers, elapse } = savedBy();
  for (const stackId of ['a', 'b', 'a', 'a']) saver.changed(stackId);
  expect(timers.map(({ delayMs }) => delayMs)).toEqual([1_000]);
  expect(saved).toEqual([]);
  await elapse();
  expect(saved).toEqual(['a', 'b']);
  expect(timers).toEqual([]);
});

it('saves again what changed while it was saved, and waits longer after long saving', async () => {
  const { saver, saved, timers, state, elapse } = savedBy();
  saver.changed('a');
  state.tookMs = 500;
  state.during = () => {
    state.during = () => {};
    saver.changed('a');
  };
  await elapse();
  expect(timers.map(({ delayMs }) => delayMs)).toEqual([10_000]);
  await elapse();
  expect(saved).toEqual(['a', 'a']);
  expect(timers).toEqual([]);
});

it('tells of a failure and saves the others', async () => {
  const { saver, saved, failures, elapse } = savedBy();
  saver.changed('bad');
  saver.changed('good');
  await elapse();
  expect(saved).toEqual(['bad', 'good']);
  expect(failures).toEqual([new Error('the disk is full')]);
});
