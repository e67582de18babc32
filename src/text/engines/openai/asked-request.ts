import type { JsonBytes } from '../../../upstream/upstream-exchange.ts';
import type { CacheSalts } from './cache-salts.ts';
import type { RunningUsage } from './running-usage.ts';
import type { WrittenBody } from './written-body.ts';

/** How a body is asked for; what is absent is not asked. */
export interface AskedWays {
  readonly inOnePiece: boolean | undefined;
  /** Of the server, where it is asked for usage in every chunk. */
  readonly runningUsage: RunningUsage | undefined;
  /** Of the server, where it is sent a salt. */
  readonly salts: CacheSalts | undefined;
}

/** A chat request as it is sent to a server, and without what that server turns out not to know. */
export class AskedRequest {
  readonly #body: WrittenBody;
  readonly #ways: AskedWays;
  #isCounted: boolean;
  #isSalted: boolean;

  constructor(body: WrittenBody, ways: AskedWays) {
    this.#body = body;
    this.#ways = ways;
    this.#isCounted = ways.runningUsage !== undefined;
    this.#isSalted = ways.salts !== undefined;
  }

  /** JSON. */
  write(): string | JsonBytes {
    if (this.#ways.inOnePiece) return this.#body.whole({ isSalted: this.#isSalted });
    return this.#body.streamed({ isCounted: this.#isCounted, isSalted: this.#isSalted });
  }

  /** What is sent to a server that refuses it in these words; `undefined`: nothing else will do. */
  insteadOf(refusal: string): string | JsonBytes | undefined {
    const { runningUsage, salts } = this.#ways;
    const isCountRefused = this.#isCounted && runningUsage?.isRefusedBy(refusal) === true;
    const isSaltRefused = this.#isSalted && salts?.isNamedIn(refusal) === true;
    if (!isCountRefused && !isSaltRefused) return undefined;
    if (isCountRefused) this.#isCounted = false;
    if (isSaltRefused) this.#isSalted = false;
    return this.write();
  }

  /** A server has begun to answer. */
  accepted(): void {
    const { salts } = this.#ways;
    if (salts !== undefined && !this.#isSalted) salts.learnRefusal();
  }
}
