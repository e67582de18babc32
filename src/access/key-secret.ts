import { hash, randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 43;

/** A new secret: `sk-` and 43 random base62 characters, 256 bits. It is shown once and never stored. */
export function generateSecret(): string {
  const characters = Array.from({ length: RANDOM_CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]);
  return `sk-${characters.join('')}`;
}

/** What is stored of a secret, and what it is found by. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}
