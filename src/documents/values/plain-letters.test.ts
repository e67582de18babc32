import { expect, it } from 'vitest';
import { plainLetters } from './plain-letters.ts';

it('keeps offsets, even after a surrogate pair', () => {
  const text = '🙂 Größe: über';
  expect(plainLetters(text)).toBe('🙂 Grose: uber');
  expect(plainLetters(text)).toHaveLength(text.length);
});
