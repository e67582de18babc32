import { Fault } from '../faults/fault.ts';
import type { Incoming } from './incoming.ts';
import type { Route } from './route.ts';

const MOST_CHARACTERS = 255;

/** Whether the route runs a request with an Idempotency-Key once. Every POST with a key does. */
export function takesIdempotencyKey({ method, access }: Route): boolean {
  return method === 'POST' && access === 'key';
}

/** The Idempotency-Key of a request, if its route takes one. */
export function idempotencyKey(route: Route, { headers }: Incoming): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined || !takesIdempotencyKey(route)) return undefined;
  if (typeof key === 'string' && key !== '' && key.length <= MOST_CHARACTERS) return key;
  throw new Fault(
    'idempotency-key-invalid',
    `Idempotency-Key must have 1 to ${MOST_CHARACTERS} characters, got ${key.length}.`,
  );
}
