import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { Secret } from './secret.ts';

describe('Secret', () => {
  const secret = new Secret('hunter2-hunter2');

  test('gives its value when asked', () => {
    expect(secret.reveal()).toBe('hunter2-hunter2');
  });

  test.each([
    ['a template', `${secret}`],
    ['String()', String(secret)],
    ['concatenation', `key: ${String(secret)}`],
    ['JSON', JSON.stringify({ secret })],
    ['inspect', inspect({ secret }, { depth: 9, showHidden: true })],
    ['its own keys', JSON.stringify(Object.entries(secret))],
    ['a copy', JSON.stringify({ ...secret })],
  ])('does not show in %s', (_, shown) => {
    expect(shown).not.toContain('hunter2');
  });
});
