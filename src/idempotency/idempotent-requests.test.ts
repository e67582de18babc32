import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { HeldClock } from '../../testing/bad-child/clocks.ts';
import { MemoryIdempotencyBook } from '../../testing/idempotency/memory-idempotency-book.ts';
import { hold } from '../../testing/text/held.ts';
import { createLog } from '../telemetry/log.ts';
import { IdempotentRequests } from './idempotent-requests.ts';
import { identityOf } from './request-identity.ts';
import { RunningRequest } from './running-request.ts';

const identity = identityOf({ stackId: 's', keyId: 'k', route: '/v1/x', name: 'n-1', contentHash: 'h' });
const never = new AbortController().signal;
const answer = { status: 200, lines: '', body: Buffer.from('done') };

function open(book: MemoryIdempotencyBook) {
  const clock = new HeldClock();
  const log = createLog('silent', new Writable());
  return { clock, requests: new IdempotentRequests({ book, clock, log }) };
}

async function begin(requests: IdempotentRequests): Promise<RunningRequest> {
  const begun = await requests.begin(identity, never);
  if (!(begun instanceof RunningRequest)) throw new Error('it ran before');
  return begun;
}

describe('the wait for a request that runs', () => {
  it('ends with 409 after the time limit', async () => {
    const book = new MemoryIdempotencyBook();
    const { requests, clock } = open(book);
    await begin(requests);
    const waiting = requests.begin(identity, never).catch((error: unknown) => error);
    for (let passedMs = 0; passedMs < 241_000; passedMs += 500) {
      await new Promise(setImmediate);
      clock.pass(500);
    }
    expect(await waiting).toMatchObject({ code: 'idempotency-key-in-use', status: 409 });
  });

  it('ends when its client leaves', async () => {
    const { requests } = open(new MemoryIdempotencyBook());
    await begin(requests);
    const leaving = new AbortController();
    const waiting = requests.begin(identity, leaving.signal);
    leaving.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
  });
});

describe('a running request', () => {
  it('renews its lease until it ends', async () => {
    let renewals = 0;
    const book = new MemoryIdempotencyBook();
    book.renew = async () => {
      renewals += 1;
      if (renewals === 1) throw new Error('the database is away');
    };
    const { requests, clock } = open(book);
    const request = await begin(requests);
    for (let beat = 0; beat < 3; beat++) {
      clock.pass(10_000);
      await new Promise(setImmediate);
    }
    await request.end(answer);
    clock.pass(60_000);
    expect(renewals).toBe(3);
  });

  it('ends although its answer cannot be kept, which is kept when the database is back', async () => {
    const book = new MemoryIdempotencyBook();
    const keep = vi.spyOn(book, 'keep').mockRejectedValue(new Error('the database is away'));
    const { requests, clock } = open(book);
    await (await begin(requests)).end(answer);
    const passSecond = async () => {
      clock.pass(1_000);
      await nextTurn();
    };
    await passSecond();
    expect(keep).toHaveBeenCalledTimes(2);
    keep.mockRestore();
    await passSecond();
    expect(await requests.begin(identity, never)).toEqual(answer);
    await passSecond();
    expect(clock.pending).toBe(0);
  });

  it('ends although the database does not answer, and its answer is kept when it does', async () => {
    const book = new MemoryIdempotencyBook();
    const silence = hold();
    const keep = book.keep.bind(book);
    book.keep = async (claim, sealed) => {
      await silence.until;
      await keep(claim, sealed);
    };
    const { requests, clock } = open(book);
    const ended = (await begin(requests)).end(answer);
    clock.pass(5_000);
    await ended;
    silence.release();
    await nextTurn();
    expect(await requests.begin(identity, never)).toEqual(answer);
  });
});
