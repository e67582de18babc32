import type { Clock, Timer } from '../lib/clock.ts';
import type { Log } from '../telemetry/log.ts';
import type { IdempotencyBook, RequestClaim } from './idempotency-book.ts';
import { type KeptAnswer, sealAnswer } from './kept-answer.ts';
import type { LateAnswers } from './late-answers.ts';
import type { RequestIdentity } from './request-identity.ts';

/** A third of the lease, so that two renewals may fail. */
const RENEW_MS = 10_000;
/** How long the end of an answer waits until the answer is kept. */
const PATIENCE_MS = 5_000;

export interface RunningRequestParts {
  readonly book: IdempotencyBook;
  readonly clock: Clock;
  readonly log: Log;
  readonly late: Pick<LateAnswers, 'add'>;
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

  /**
   * Ends the run; the answer is given to all later requests. Without one, the next request runs. An answer that cannot be kept at
   * once is kept later.
   */
  async end(answer: KeptAnswer | undefined): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    if (answer === undefined) await this.#release();
    else await this.#keep(sealAnswer(this.#identity, answer));
  }

  async #release(): Promise<void> {
    const { book, log } = this.#parts;
    try {
      await book.release(this.#claim);
    } catch (error) {
      log.warn(
        { error },
        'a request with an Idempotency-Key could not be released; its lease ends by itself',
      );
    }
  }

  async #keep(sealed: Uint8Array): Promise<void> {
    const { book, clock, late } = this.#parts;
    const kept = book
      .keep(this.#claim, sealed)
      .catch((error: unknown) => late.add(this.#claim, sealed, error));
    await new Promise<void>((resolve) => {
      const timer = clock.after(PATIENCE_MS, resolve);
      void kept.then(() => {
        timer.cancel();
        resolve();
      });
    });
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
