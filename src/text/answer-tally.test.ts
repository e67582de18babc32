import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { FakeMeter } from '../../testing/fake-meter.ts';
import { conversationOf } from '../../testing/text/engine-conversations.ts';
import { AnswerPace } from './answer-pace.ts';
import { AnswerTally } from './answer-tally.ts';

const MAX_TOKENS = 300;
const conversation = conversationOf({ sampling: { maxTokens: MAX_TOKENS } });
/** So fast that even the shortest test writes tokens. */
const FAST_TOKENS_PER_MS = 1_000_000;

function tallyOf(pace: AnswerPace | undefined): { readonly tally: AnswerTally; readonly meter: FakeMeter } {
  const meter = new FakeMeter();
  return { meter, tally: new AnswerTally({ conversation }, meter, pace) };
}

it('estimates an aborted answer in one piece by the engine’s pace, up to its limit', async () => {
  const pace = new AnswerPace();
  pace.learn(FAST_TOKENS_PER_MS, 1);
  pace.learn(FAST_TOKENS_PER_MS, 1);
  const { tally, meter } = tallyOf(pace);
  // Lets some time pass.
  await sleep(5);
  tally.endEarly();
  expect(meter.used.completionTokens).toBe(MAX_TOKENS);
});

it('counts the text of an aborted stream, even if there is none', () => {
  const { tally, meter } = tallyOf(undefined);
  tally.endEarly();
  expect(meter.used.completionTokens).toBe(0);
});

it('learns the pace from complete answers', () => {
  const pace = new AnswerPace();
  const before = pace.tokensIn(1_000);
  const usage = { promptTokens: 1, completionTokens: 100_000 };
  const { tally, meter } = tallyOf(pace);
  tally.count([{ type: 'finish', reason: 'stop', stopSequence: undefined, usage }]);
  tally.endEarly();
  expect(meter.used.completionTokens).toBe(100_000);
  expect(pace.tokensIn(1_000)).toBeGreaterThan(before);
});

it('adapts to a changed pace', () => {
  const pace = new AnswerPace();
  for (let answer = 0; answer < 100; answer++) pace.learn(1_000, 1_000);
  expect(pace.tokensIn(1_000)).toBeGreaterThan(950);
  for (let answer = 0; answer < 100; answer++) pace.learn(10, 1_000);
  expect(pace.tokensIn(1_000)).toBeLessThan(20);
});
