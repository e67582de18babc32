import type { Clock } from '../lib/clock.ts';
import type { Log } from '../telemetry/log.ts';
import type { IdempotencyBook, RequestClaim } from './idempotency-book.ts';

const TRY_EVERY_MS = 1_000;
/** For a minute, in which most databases and buckets are back. */
const MOST_TRIES = 60;
/** Of all answers that wait. */
const MOST_BYTES = 64 * 1024 * 1024;

export interface LateAnswersParts {
  readonly book: Pick<IdempotencyBook, 'keep' | 'renew'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Pick<Log, 'warn'>;
}

interface LateAnswer {
  readonly claim: RequestClaim;
  readonly sealed: Uint8Array;
  readonly triesLeft: number;
}

/**
 * Answers that could not be kept when they were given, because the database or the blob store was away. They are tried again, so
 * that the next request with the same key does not run a second time.
 */
export class LateAnswers {
  readonly #parts: LateAnswersParts;
  #sizeBytes = 0;

  constructor(parts: LateAnswersParts) {
    this.#parts = parts;
  }

  /** Keeps the answer later; `error` is the reason why it is late. */
  add(claim: RequestClaim, sealed: Uint8Array, error: unknown): void {
    if (this.#sizeBytes + sealed.byteLength > MOST_BYTES) {
      this.#giveUp(error);
      return;
    }
    this.#sizeBytes += sealed.byteLength;
    this.#tryLater({ claim, sealed, triesLeft: MOST_TRIES });
  }

  #tryLater(late: LateAnswer): void {
    this.#parts.clock.after(TRY_EVERY_MS, () => void this.#try(late));
  }

  async #try({ claim, sealed, triesLeft }: LateAnswer): Promise<void> {
    const { book } = this.#parts;
    try {
      // The lease goes on, if that is possible: the next request with the key waits for this answer.
      await book.renew(claim);
      await book.keep(claim, sealed);
    } catch (error) {
      if (triesLeft > 1) {
        this.#tryLater({ claim, sealed, triesLeft: triesLeft - 1 });
        return;
      }
      this.#giveUp(error);
    }
    this.#sizeBytes -= sealed.byteLength;
  }

  #giveUp(error: unknown): void {
    this.#parts.log.warn({ error }, 'the answer to a request with an Idempotency-Key could not be kept');
  }
}
