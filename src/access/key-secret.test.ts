import { expect, it } from 'vitest';
import { generateSecret, hashSecret, isMistypedSecret } from './key-secret.ts';

it('makes secrets of 43 random and 6 checking base62 characters, never twice', () => {
  const secrets = Array.from({ length: 200 }, generateSecret);
  for (const secret of secrets) expect(secret).toMatch(/^sk-[0-9A-Za-z]{49}$/);
  expect(new Set(secrets).size).toBe(secrets.length);
});

it('stores the SHA-256 of a secret', () => {
  expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

it('knows a generated secret from one with any character changed or two neighbours swapped', () => {
  const secret = generateSecret();
  expect(isMistypedSecret(secret)).toBe(false);
  for (let at = 'sk-'.length; at < secret.length; at++) {
    const other = secret[at] === 'x' ? 'y' : 'x';
    expect(isMistypedSecret(secret.slice(0, at) + other + secret.slice(at + 1))).toBe(true);
    const [one, next] = [secret[at] ?? '', secret[at + 1] ?? ''];
    if (next === '' || one === next) continue;
    expect(isMistypedSecret(secret.slice(0, at) + next + one + secret.slice(at + 2))).toBe(true);
  }
});

it.each([
  'sk-short',
  'a secret of the operator with spaces',
  `sk-${'a'.repeat(43)}`,
  `sk-proj-${'a'.repeat(44)}`,
])('says nothing of what has another form: %s', (text) => {
  expect(isMistypedSecret(text)).toBe(false);
});

it('goes on taking the secrets that it made', () => {
  expect(isMistypedSecret('sk-0000000000000000000000000000000000000000000jPCgQu')).toBe(false);
});
