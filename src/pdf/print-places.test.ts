import { expect, it } from 'vitest';
import { Fault } from '../faults/fault.ts';
import { PrintPlaces } from './print-places.ts';

function refusal(take: () => Disposable): string {
  try {
    take();
  } catch (error) {
    if (error instanceof Fault && error.code === 'pdf-in-flight') return error.message;
    throw error;
  }
  throw new Error('a place was given');
}

it('leaves the last place to another stack, and says which bound was hit', () => {
  const places = new PrintPlaces(4);
  const taken = ['a', 'a', 'a'].map((stack) => places.take(stack));
  expect(refusal(() => places.take('a'))).toContain("The stack has taken 3 of this server's 4 places");
  taken.push(places.take('b'));
  expect(places.taken).toBe(4);
  for (const stack of ['a', 'b', 'c']) {
    expect(refusal(() => places.take(stack))).toContain('this server has 4');
  }
  for (const place of taken) place[Symbol.dispose]();
  expect(places.taken).toBe(0);
});

it('gives a stack no more than its share while others print, whatever it had before', () => {
  const places = new PrintPlaces(4);
  const [first, second] = ['a', 'a', 'a'].map((stack) => places.take(stack));
  const other = places.take('b');
  first?.[Symbol.dispose]();
  expect(refusal(() => places.take('a'))).toContain("The stack has taken 2 of this server's 4 places");
  const more = places.take('b');
  second?.[Symbol.dispose]();
  expect(refusal(() => places.take('b'))).toContain("The stack has taken 2 of this server's 4 places");
  for (const place of [other, more]) place[Symbol.dispose]();
  places.take('a');
  places.take('a');
  expect(places.taken).toBe(3);
});

it('gives a stack back what it gave back, and counts stacks apart', () => {
  const places = new PrintPlaces(3);
  const [first] = [places.take('a'), places.take('a')];
  first?.[Symbol.dispose]();
  places.take('b');
  places.take('a');
  expect(places.taken).toBe(3);
});

it('gives the only place to whoever comes', () => {
  const places = new PrintPlaces(1);
  const place = places.take('a');
  expect(refusal(() => places.take('a'))).toContain('this server has 1');
  place[Symbol.dispose]();
  places.take('a');
});
