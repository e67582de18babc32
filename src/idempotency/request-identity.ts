import { createHmac, hkdfSync } from 'node:crypto';
import type { NamedRequest } from './idempotency-book.ts';

const PART_BYTES = 32;

export interface RequestNaming {
  readonly stackId: string;
  readonly keyId: string;
  /** The path pattern of the route. */
  readonly route: string;
  /** The value of the Idempotency-Key header. */
  readonly name: string;
  /** A hash of everything else in the request. */
  readonly contentHash: string;
}

/** The stored name of a request, and the secret that seals its answer. */
export interface RequestIdentity {
  readonly request: NamedRequest;
  readonly secret: Uint8Array;
}

/**
 * Derives the identity of a request from its Idempotency-Key. The key itself is stored nowhere, so the database alone is not
 * enough to read an answer or to find out what was asked.
 */
export function identityOf({ stackId, keyId, route, name, contentHash }: RequestNaming): RequestIdentity {
  const scope = JSON.stringify([stackId, keyId, route]);
  const derived = Buffer.from(hkdfSync('sha256', name, scope, 'stackgate idempotency', 3 * PART_BYTES));
  const part = (index: number) => derived.subarray(index * PART_BYTES, (index + 1) * PART_BYTES);
  const fingerprint = createHmac('sha256', part(1)).update(contentHash).digest('hex');
  return { request: { id: part(0).toString('hex'), stackId, fingerprint }, secret: part(2) };
}
