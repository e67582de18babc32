import fc from 'fast-check';
import { expect, it } from 'vitest';
import { choice, flag, json, number, readState, text, writeState } from './url-state.ts';

const isList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
const SHAPE = {
  prompt: text('hello'),
  wire: choice(['chat', 'messages'], 'chat'),
  stream: flag(true),
  steps: number(4),
  turns: json<readonly string[]>([], isList),
};

it('reads back every state that it writes', () => {
  const states = fc.record({
    prompt: fc.string({ unit: 'grapheme' }),
    wire: fc.constantFrom('chat' as const, 'messages' as const),
    stream: fc.boolean(),
    steps: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)),
    turns: fc.array(fc.string()),
  });
  fc.assert(
    fc.property(states, (state) => {
      expect(readState(SHAPE, writeState(SHAPE, state))).toEqual(state);
    }),
    { numRuns: 100 },
  );
});

it('writes nothing of what is as at first', () => {
  const initial = readState(SHAPE, '');
  expect(initial).toEqual({ prompt: 'hello', wire: 'chat', stream: true, steps: 4, turns: [] });
  expect(writeState(SHAPE, initial)).toBe('');
  expect(writeState(SHAPE, { ...initial, wire: 'messages', steps: null })).toBe('#wire=messages&steps=none');
});

it('takes what it cannot read for what it is at first', () => {
  expect(readState(SHAPE, '#wire=telnet&stream=perhaps&steps=many&turns=%5B1%5D')).toEqual(
    readState(SHAPE, ''),
  );
});
