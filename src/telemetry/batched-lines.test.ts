import { expect, it } from 'vitest';
import { type BatchDestination, BatchedLines } from './batched-lines.ts';

function setUp() {
  const told: string[] = [];
  const destination: BatchDestination = {
    write: (text) => void told.push(text),
    flush: (callback) => {
      told.push('flushed');
      callback?.();
    },
    flushSync: () => void told.push('flushed at once'),
  };
  return { told, lines: new BatchedLines(destination, 10) };
}

it('passes lines on together, in their order', () => {
  const { told, lines } = setUp();
  for (const line of ['one\n', 'two\n', 'three\n', 'four\n']) lines.write(line);
  expect(told).toEqual(['one\ntwo\nthree\n', 'flushed']);
});

it('passes on what is left when it is flushed, and nothing where nothing is', () => {
  const { told, lines } = setUp();
  lines.write('one\n');
  let isDone = false;
  lines.flush(() => {
    isDone = true;
  });
  expect([isDone, told]).toEqual([true, ['one\n', 'flushed']]);
  lines.flushSync();
  lines.write('two\n');
  lines.flushSync();
  expect(told.slice(2)).toEqual(['flushed at once', 'two\n', 'flushed at once']);
});
