import { expect, it } from 'vitest';
import { decodeCtc } from './decode-ctc.ts';

const alphabet = ['', 'a', 'b', ' '];

it('drops blanks and repeats, and puts a character in the middle of the steps at which it was seen', () => {
  const spotted = decodeCtc(outputOf([0, 1, 1, 1, 0, 1, 2, 2]), alphabet, { steps: 8, classes: 4 });
  expect(spotted.map(({ text }) => text).join('')).toBe('aab');
  expect(spotted.map(({ at }) => at * 8)).toEqual([2.5, 5.5, 7]);
});

it('tells how likely a space was before a character', () => {
  const output = outputOf([1, 0, 2]);
  output[1 * 4 + 3] = 0.2;
  const [, second] = decodeCtc(output, alphabet, { steps: 3, classes: 4 });
  expect(second?.spaceBefore).toBeCloseTo(0.2);
});

/** A network output with the given best class per step. */
function outputOf(classes: readonly number[]): Float32Array {
  const output = new Float32Array(classes.length * alphabet.length);
  for (const [step, index] of classes.entries()) output[step * alphabet.length + index] = 0.9;
  return output;
}
