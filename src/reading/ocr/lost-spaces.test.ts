import { expect, it } from 'vitest';
import { withLostSpaces } from './lost-spaces.ts';

/** Characters at these steps, with the likelihood of a space before each. */
function spotted(text: string, steps: readonly (readonly [at: number, spaceBefore: number])[]) {
  return Array.from(text, (character, index) => {
    const [at = 0, spaceBefore = 0] = steps[index] ?? [];
    return { text: character, at, confidence: 1, spaceBefore };
  });
}

const said = (characters: readonly { text: string }[]) => characters.map(({ text }) => text).join('');

it('puts a space where one was likely and there is room for it', () => {
  const line = spotted('ID:45', [
    [0, 0],
    [3, 0],
    [6, 0],
    [12, 0.3],
    [15, 0],
  ]);
  const whole = withLostSpaces(line);
  expect(said(whole)).toBe('ID: 45');
  expect(whole[3]?.at).toBe(9);
});

it('leaves a comma in a figure, however much it looks like a space', () => {
  const line = spotted('160,0', [
    [0, 0],
    [3, 0],
    [6, 0],
    [9, 0],
    [13, 0.43],
  ]);
  expect(said(withLostSpaces(line))).toBe('160,0');
});

it('leaves wide letters, and spaces that were read', () => {
  const line = spotted('lamp a', [
    [0, 0],
    [2, 0],
    [6, 0.01],
    [10, 0],
    [13, 0],
    [16, 0.4],
  ]);
  expect(said(withLostSpaces(line))).toBe('lamp a');
});

it('does nothing to a line without characters, or with one', () => {
  expect(withLostSpaces([])).toEqual([]);
  expect(said(withLostSpaces(spotted('x', [[1, 0.9]])))).toBe('x');
});
