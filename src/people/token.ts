import { hash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;
const FORM = /^[\w-]{43}$/;

/** A new secret of 32 random bytes, for a session or a link. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** The stored form of a token; `undefined` if the text cannot be one. */
export function hashToken(token: string): string | undefined {
  return FORM.test(token) ? hash('sha256', token, 'hex') : undefined;
}
