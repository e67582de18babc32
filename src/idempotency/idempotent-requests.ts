import { Fault } from '../faults/fault.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../telemetry/log.ts';
import type { ClaimResult, IdempotencyBook } from './idempotency-book.ts';
import { type KeptAnswer, openAnswer } from './kept-answer.ts';
import { LateAnswers } from './late-answers.ts';
import type { RequestIdentity } from './request-identity.ts';
import { RunningRequest } from './running-request.ts';

/** How long a request waits for the one that runs: as long as the longest of the gateway's own time limits. */
const WAIT_MS = 240_000;
const FIRST_POLL_MS = 50;
const LONGEST_POLL_MS = 500;

export interface IdempotentRequestsParts {
  readonly book: IdempotencyBook;
  readonly clock: Clock;
  readonly log: Log;
}

/** Lets each request with an Idempotency-Key run once, on all replicas together. */
export class IdempotentRequests {
  readonly #parts: IdempotentRequestsParts;
  readonly #late: LateAnswers;

  constructor(parts: IdempotentRequestsParts) {
    this.#parts = parts;
    this.#late = new LateAnswers(parts);
  }

  /** The right to run the request, or the answer that was kept. While the same request runs elsewhere, it waits for that answer. */
  async begin(identity: RequestIdentity, signal: AbortSignal): Promise<RunningRequest | KeptAnswer> {
    const { book, clock } = this.#parts;
    const endsMs = clock.nowMs() + WAIT_MS;
    for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(2 * pollMs, LONGEST_POLL_MS)) {
      const result = await book.claim(identity.request);
      if (result.state === 'claimed')
        return new RunningRequest(result.claim, identity, { ...this.#parts, late: this.#late });
      requireSame(identity, result);
      if (result.state === 'kept') return openAnswer(identity, result.sealed);
      if (clock.nowMs() >= endsMs) throw stillRunning();
      await pause(clock, pollMs, signal);
    }
  }
}

function requireSame(
  { request }: RequestIdentity,
  { fingerprint }: Exclude<ClaimResult, { state: 'claimed' }>,
): void {
  if (fingerprint === request.fingerprint) return;
  throw new Fault(
    'idempotency-key-reused',
    'This Idempotency-Key was used for a request with another URL, type or body within the last 24 hours. Send a new key with a new request.',
  );
}

function stillRunning(): Fault {
  return new Fault(
    'idempotency-key-in-use',
    'The first request with this Idempotency-Key still runs. Send the same request again later.',
  );
}

async function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = () => {
      timer.cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = clock.after(delayMs, end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
  signal.throwIfAborted();
}
