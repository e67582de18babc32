import type { Clock, Timer } from '../lib/clock.ts';
import type { Log } from '../telemetry/log.ts';
import type { IdempotencyBook, RequestClaim } from './idempotency-book.ts';
import { type KeptAnswer, sealAnswer } from './kept-answer.ts';
import type { RequestIdentity } from './request-identity.ts';

/** A third of the lease, so that two renewals may fail. */
const RENEW_MS = 10_000;

export interface RunningRequestParts {
  readonly book: IdempotencyBook;
  readonly clock: Clock;
  readonly log: Log;
}

/** A request with an Idempotency-Key that runs in this process, under a lease. It never rejects: its client gets its answer in every case. */
export class RunningRequest {
  readonly #claim: RequestClaim;
  readonly #identity: RequestIdentity;
  readonly #parts: RunningRequestParts;
  #timer: Timer | undefined;

  constructor(claim: RequestClaim, identity: RequestIdentity, parts: RunningRequestParts) {
    this.#claim = claim;
    this.#identity = identity;
    this.#parts = parts;
    this.#planRenewal();
  }

  /** Ends the run; the answer is given to all later requests. Without one, the next request runs. */
  async end(answer: KeptAnswer | undefined): Promise<void> {
    const { book, log } = this.#parts;
    this.#timer?.cancel();
    this.#timer = undefined;
    try {
      if (answer === undefined) await book.release(this.#claim);
      else await book.keep(this.#claim, sealAnswer(this.#identity, answer));
    } catch (error) {
      log.warn({ error }, 'the answer to a request with an Idempotency-Key could not be kept');
    }
  }

  #planRenewal(): void {
    const { book, clock, log } = this.#parts;
    const timer = clock.after(RENEW_MS, () => {
      book
        .renew(this.#claim)
        .catch((error: unknown) => log.warn({ error }, 'the lease of a request could not be renewed'))
        .finally(() => {
          if (this.#timer === timer) this.#planRenewal();
        });
    });
    this.#timer = timer;
  }
}
