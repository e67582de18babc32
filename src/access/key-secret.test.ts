import { expect, it } from 'vitest';
import { generateSecret, hashSecret } from './key-secret.ts';

it('makes secrets of 43 base62 characters, never twice', () => {
  const secrets = Array.from({ length: 200 }, generateSecret);
  for (const secret of secrets) expect(secret).toMatch(/^sk-[0-9A-Za-z]{43}$/);
  expect(new Set(secrets).size).toBe(secrets.length);
});

it('stores the SHA-256 of a secret', () => {
  expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
