import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lineDifference } from './line-difference.ts';

it('holds both texts, in their order', () => {
  const texts = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const lines = lineDifference(before, after);
      const without = (kind: string) => lines.filter((line) => line.kind !== kind).map(({ text }) => text);
      expect(without('added').join('\n')).toBe(before);
      expect(without('removed').join('\n')).toBe(after);
    }),
    { numRuns: 200 },
  );
});

it('changes as few lines as possible', () => {
  expect(
    lineDifference('{\n  "a": 1,\n  "b": 2\n}', '{\n  "a": 1,\n  "b": 3\n}').map(({ kind }) => kind),
  ).toEqual(['same', 'same', 'removed', 'added', 'same']);
});
