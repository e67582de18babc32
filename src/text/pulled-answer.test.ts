import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { PulledAnswer } from './pulled-answer.ts';
import type { TextEvent } from './text-event.ts';

const word: readonly TextEvent[] = [{ type: 'block-delta', text: 'a' }];

it('pulls nothing while it is paused', async () => {
  let told = 0;
  async function* pull() {
    for (;;) yield word;
  }
  const answer = new PulledAnswer(pull, {
    onEvents: () => {
      told++;
      answer.setFlowing(false);
    },
    onFailure: () => {},
  });
  answer.begin();
  await setImmediate();
  expect(told).toBe(1);
  answer.setFlowing(true);
  await setImmediate();
  expect(told).toBe(2);
  answer.stop();
});

it('closes the iterable, even when it is stopped while paused', async () => {
  let isClosed = false;
  async function* pull() {
    try {
      for (;;) yield word;
    } finally {
      isClosed = true;
    }
  }
  const answer = new PulledAnswer(pull, {
    onEvents: () => {
      answer.setFlowing(false);
      answer.stop();
    },
    onFailure: () => {},
  });
  answer.begin();
  await setImmediate();
  expect(isClosed).toBe(true);
});

it('fails if the iterable ends without a finish event', async () => {
  const failure = await new Promise((resolve) => {
    async function* pull() {
      yield word;
    }
    new PulledAnswer(pull, { onEvents: () => {}, onFailure: resolve }).begin();
  });
  expect(failure).toMatchObject({ code: 'engine-failed' });
});
