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

it('lines follow each other until they are cleared', () => {
  const lines = new LineBuffer();
  const add = (word: string) => {
    lines.begin(word);
    lines.end();
  };
  for (const word of ['long-word', 'b']) add(word);
  expect(textOf(lines)).toBe('long-word\nb\n');
  lines.clear();
  add('c');
  expect(textOf(lines)).toBe('c\n');
});

it('has room as long as the longest line fits', () => {
  const lines = new LineBuffer();
  while (lines.hasRoom) {
    lines.begin('x'.repeat(1_000));
    lines.end();
  }
  expect([lines.length <= lines.bytes.length, lines.length > 60_000]).toEqual([true, true]);
});

it('a line that does not fit is told, not cut', () => {
  const line = new LineBuffer();
  line.begin('a');
  line.end();
  line.begin('x'.repeat(2_000));
  expect(() => line.end()).toThrow('too long');
  expect(textOf(line)).toBe('a\n');
});
