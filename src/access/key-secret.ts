import { hash, randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_PREFIX = 'sk-';
const OPERATOR_PREFIX = 'sgo-';
const RANDOM_CHARACTERS = 43;
const CHECK_CHARACTERS = 6;
const GENERATED_LENGTH = KEY_PREFIX.length + RANDOM_CHARACTERS + CHECK_CHARACTERS;
const GENERATED_FORM = /^sk-[0-9A-Za-z]+$/;
const OPERATOR_FORM = /^sgo-[0-9A-Za-z]{49}$/;
const CHECK_MODULUS = ALPHABET.length ** CHECK_CHARACTERS;
// The largest multiplier that keeps all products exact integers.
const CHECK_STEP = 65_599;

/** A new secret: `sk-`, 43 random base62 characters (256 bits) and a checksum of 6. It is shown once and never stored. */
export function generateSecret(): string {
  return generated(KEY_PREFIX);
}

/** A new secret of an operator token: the same with `sgo-`. */
export function generateOperatorSecret(): string {
  return generated(OPERATOR_PREFIX);
}

function generated(prefix: string): string {
  const characters = Array.from({ length: RANDOM_CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]);
  const checked = `${prefix}${characters.join('')}`;
  return checked + checksum(checked);
}

/** The stored form of a secret, and its lookup key. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** Whether a text looks like a generated secret but has a wrong checksum: mistyped, truncated or invented. */
export function isMistypedSecret(text: string): boolean {
  if (text.length !== GENERATED_LENGTH || !GENERATED_FORM.test(text)) return false;
  return !text.endsWith(checksum(text.slice(0, -CHECK_CHARACTERS)));
}

/** Whether a text may be the secret of a key: operator tokens never are, and a generated one has its checksum. */
export function isKeySecret(text: string): boolean {
  return !text.startsWith(OPERATOR_PREFIX) && !isMistypedSecret(text);
}

/** Whether a text may be an operator token: it has the form and the checksum. */
export function isOperatorSecret(text: string): boolean {
  return OPERATOR_FORM.test(text) && text.endsWith(checksum(text.slice(0, -CHECK_CHARACTERS)));
}

/** Detects typos and keeps invalid keys from the database; it is not a security feature. */
function checksum(text: string): string {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (sum * CHECK_STEP + text.charCodeAt(at)) % CHECK_MODULUS;
  let characters = '';
  for (let at = 0; at < CHECK_CHARACTERS; at++) {
    characters += ALPHABET[sum % ALPHABET.length];
    sum = Math.floor(sum / ALPHABET.length);
  }
  return characters;
}
