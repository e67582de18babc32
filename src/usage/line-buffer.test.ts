import { expect, it } from 'vitest';
import { LineBuffer } from './line-buffer.ts';

const textOf = ({ bytes, length }: LineBuffer) => bytes.toString('latin1', 0, length);

it.each([0, 1, 9, 10, 99, 100, 12_345, 2 ** 31, 2 ** 32 + 7, Number.MAX_SAFE_INTEGER, 0.25, 1e21, -3])(
  'a line has numbers as String writes them: %d',
  (value) => {
    const line = new LineBuffer();
    line.begin('u');
    line.number(value);
    line.word('ok');
    line.end();
    expect(textOf(line)).toBe(`u ${value} ok\n`);
  },
);

it('a line begins anew', () => {
  const line = new LineBuffer();
  for (const word of ['long-word', 'b']) {
    line.begin(word);
    line.end();
  }
  expect(textOf(line)).toBe('b\n');
});

it('a line that does not fit is told, not cut', () => {
  const line = new LineBuffer();
  line.begin('x'.repeat(2_000));
  expect(() => line.end()).toThrow('too long');
});
