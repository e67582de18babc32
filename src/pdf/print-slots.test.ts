import { expect, it } from 'vitest';
import { Fault } from '../faults/fault.ts';
import { PrintSlots } from './print-slots.ts';

function refusal(take: () => Disposable): string {
  try {
    take();
  } catch (error) {
    if (error instanceof Fault && error.code === 'pdf-in-flight') return error.message;
    throw error;
  }
  throw new Error('a slot was given');
}

it('keeps one slot free for other stacks and names the bound that was hit', () => {
  const slots = new PrintSlots(4);
  const taken = ['a', 'a', 'a'].map((stack) => slots.take(stack));
  expect(refusal(() => slots.take('a'))).toContain("The stack has taken 3 of this server's 4 print slots");
  taken.push(slots.take('b'));
  expect(slots.taken).toBe(4);
  for (const stack of ['a', 'b', 'c']) {
    expect(refusal(() => slots.take(stack))).toContain('this server has 4');
  }
  for (const slot of taken) slot[Symbol.dispose]();
  expect(slots.taken).toBe(0);
});

it('gives a stack no more than its share while others print, even if it held more before', () => {
  const slots = new PrintSlots(4);
  const [first, second] = ['a', 'a', 'a'].map((stack) => slots.take(stack));
  const other = slots.take('b');
  first?.[Symbol.dispose]();
  expect(refusal(() => slots.take('a'))).toContain("The stack has taken 2 of this server's 4 print slots");
  const more = slots.take('b');
  second?.[Symbol.dispose]();
  expect(refusal(() => slots.take('b'))).toContain("The stack has taken 2 of this server's 4 print slots");
  for (const slot of [other, more]) slot[Symbol.dispose]();
  slots.take('a');
  slots.take('a');
  expect(slots.taken).toBe(3);
});

it('counts the slots of each stack separately', () => {
  const slots = new PrintSlots(3);
  const [first] = [slots.take('a'), slots.take('a')];
  first?.[Symbol.dispose]();
  slots.take('b');
  slots.take('a');
  expect(slots.taken).toBe(3);
});

it('gives a single slot to any stack', () => {
  const slots = new PrintSlots(1);
  const slot = slots.take('a');
  expect(refusal(() => slots.take('a'))).toContain('this server has 1');
  slot[Symbol.dispose]();
  slots.take('a');
});
