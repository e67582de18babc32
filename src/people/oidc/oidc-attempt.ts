import { createHmac } from 'node:crypto';
import { hashToken, newToken } from '../token.ts';

/**
 * One log-in at the provider. Everything that must be the same at its end follows from one secret, which the browser keeps in a
 * cookie, so that any replica can end it.
 */
export interface OidcAttempt {
  readonly secret: string;
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE. */
  readonly codeVerifier: string;
}

export function newOidcAttempt(): OidcAttempt {
  return attemptOf(newToken());
}

/** The attempt of a cookie; `undefined` if it has none. */
export function oidcAttempt(secret: string | undefined): OidcAttempt | undefined {
  return secret === undefined || hashToken(secret) === undefined ? undefined : attemptOf(secret);
}

function attemptOf(secret: string): OidcAttempt {
  const derived = (what: string) => createHmac('sha256', secret).update(what).digest('base64url');
  return { secret, state: derived('state'), nonce: derived('nonce'), codeVerifier: derived('verifier') };
}
