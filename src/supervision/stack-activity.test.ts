import { expect, it } from 'vitest';
import { StackActivity } from './stack-activity.ts';

it('tells whether another stack asked a moment ago', () => {
  const activity = new StackActivity();
  expect(activity.hasOthers('a', 0)).toBe(false);
  activity.note('a', 0);
  activity.note('a', 10);
  expect([activity.hasOthers('a', 10), activity.hasOthers('b', 10)]).toEqual([false, true]);
  activity.note('b', 20);
  activity.note('b', 30);
  expect([activity.hasOthers('a', 30), activity.hasOthers('b', 30)]).toEqual([true, true]);
  expect([activity.hasOthers('a', 1_029), activity.hasOthers('b', 1_009)]).toEqual([true, true]);
  expect([activity.hasOthers('a', 1_030), activity.hasOthers('b', 1_010)]).toEqual([false, false]);
});
