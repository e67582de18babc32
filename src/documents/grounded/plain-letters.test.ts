import { expect, it } from 'vitest';
import { plainLetters } from './plain-letters.ts';

it('plain letters stand where the letters stood, also after a picture of two units', () => {
  const text = '🙂 Größe: über';
  expect(plainLetters(text)).toBe('🙂 Grose: uber');
  expect(plainLetters(text)).toHaveLength(text.length);
});
