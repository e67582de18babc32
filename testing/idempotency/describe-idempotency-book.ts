import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { IdempotencyBook, RequestClaim } from '../../src/idempotency/idempotency-book.ts';
import { identityOf } from '../../src/idempotency/request-identity.ts';

interface OpenBook {
  readonly book: IdempotencyBook;
  /** Ends every lease, as the death of its process would. */
  endLeases(): Promise<void> | void;
}

/** A request that no other test knows. */
export function newRequest(stackId = 'shop', name: string = randomUUID(), contentHash = 'h') {
  return identityOf({ stackId, keyId: 'web', route: '/v1/x', name, contentHash }).request;
}

/** Claims a request that is free. */
export async function claimOf(
  book: IdempotencyBook,
  request: ReturnType<typeof newRequest>,
): Promise<RequestClaim> {
  const result = await book.claim(request);
  if (result.state !== 'claimed') throw new Error(`the request is ${result.state}`);
  return result.claim;
}

/** The promises of every book of requests with an Idempotency-Key. */
export function describeIdempotencyBook(name: string, open: () => Promise<OpenBook> | OpenBook): void {
  describe(`${name} as a book of requests`, () => {
    it('gives a request to one of many that claim it at once', async () => {
      const { book } = await open();
      const request = newRequest();
      const results = await Promise.all(Array.from({ length: 8 }, () => book.claim(request)));
      const states = results.map(({ state }) => state).sort();
      expect(states).toEqual(['claimed', ...Array(7).fill('running')]);
    });

    it('keeps a small and a large answer, byte for byte', async () => {
      const { book } = await open();
      for (const sealed of [Buffer.from([0, 1, 255]), Buffer.alloc(200_000, 7)]) {
        const request = newRequest();
        await book.keep(await claimOf(book, request), sealed);
        const kept = await book.claim(request);
        if (kept.state !== 'kept') throw new Error(kept.state);
        expect(Buffer.from(kept.sealed).equals(sealed)).toBe(true);
        expect(kept.fingerprint).toBe(request.fingerprint);
      }
    });

    it('gives a released request to the next', async () => {
      const { book } = await open();
      const request = newRequest();
      await book.release(await claimOf(book, request));
      expect((await book.claim(request)).state).toBe('claimed');
    });

    it('lets only the last holder end a request whose lease was lost', async () => {
      const { book, endLeases } = await open();
      const request = newRequest();
      const lost = await claimOf(book, request);
      await endLeases();
      const held = await claimOf(book, request);
      await book.keep(lost, Buffer.alloc(100_000, 1));
      await book.release(lost);
      await book.renew(lost);
      expect((await book.claim(request)).state).toBe('running');
      await book.keep(held, Buffer.from('held'));
      const kept = await book.claim(request);
      expect(kept.state === 'kept' && Buffer.from(kept.sealed).toString()).toBe('held');
    });
  });
}
