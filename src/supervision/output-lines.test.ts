import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { LastLines, readLines } from './output-lines.ts';

test('lines are put together across chunks and characters, and an endless one is cut', async () => {
  const stream = new PassThrough();
  const lines: string[] = [];
  readLines(stream, (line) => lines.push(line));
  const accented = Buffer.from('é');
  stream.write('on');
  stream.write('e\ntw');
  stream.write(accented.subarray(0, 1));
  stream.write(accented.subarray(1));
  stream.write('\n');
  stream.end('x'.repeat(10_000));
  await new Promise((resolve) => stream.once('close', resolve));
  expect(lines.slice(0, 2)).toEqual(['one', 'twé']);
  expect(lines.slice(2).join('')).toBe('x'.repeat(10_000));
  expect(Math.max(...lines.map((line) => line.length))).toBe(4096);
});

test('only the last lines are kept', () => {
  const kept = new LastLines();
  for (let number = 0; number < 1_000; number += 1) kept.add(String(number));
  expect(kept.list()).toHaveLength(50);
  expect(kept.list().at(-1)).toBe('999');
});
