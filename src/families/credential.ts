import type { IncomingHttpHeaders } from 'node:http';
import type { Credential } from './family.ts';

const BEARER = /^bearer +([!-~]+) *$/i;

/** The key of `Authorization: Bearer <key>`. */
export function bearerCredential(headers: IncomingHttpHeaders): Credential {
  return BEARER.exec(headers.authorization ?? '')?.[1];
}

/**
 * The key of either header. Sent both ways it must be the same; two different keys are a client's mistake and match no caller.
 */
export function eitherCredential(headers: IncomingHttpHeaders): Credential {
  const raw = headers['x-api-key'];
  if (raw === undefined) return bearerCredential(headers);
  if (typeof raw !== 'string') return undefined;
  if (headers.authorization === undefined) return raw.trim() || undefined;
  return bearerCredential(headers) === raw.trim() ? raw.trim() : undefined;
}
