/** Delays between a crash and the next start. */
export interface BackoffPolicy {
  readonly firstMs: number;
  readonly maxMs: number;
  /** A child that was ready for this long has its earlier crashes forgiven. */
  readonly stableMs: number;
  readonly degradedAfterCrashes: number;
}

/** For children that start within seconds. */
export const defaultBackoff: BackoffPolicy = {
  firstMs: 200,
  maxMs: 30_000,
  stableMs: 60_000,
  degradedAfterCrashes: 3,
};

/** Exponential backoff with a cap and 50 % jitter. */
export class Backoff {
  readonly #policy: BackoffPolicy;
  readonly #random: () => number;
  #crashes = 0;

  constructor(policy: BackoffPolicy, random: () => number) {
    this.#policy = policy;
    this.#random = random;
  }

  get isDegraded(): boolean {
    return this.#crashes >= this.#policy.degradedAfterCrashes;
  }

  /** Records a crash of a child that had been ready for `readyForMs`, and returns the delay. */
  delayAfterCrash(readyForMs: number): number {
    const { firstMs, maxMs, stableMs } = this.#policy;
    if (readyForMs >= stableMs) this.#crashes = 0;
    const fullMs = Math.min(maxMs, firstMs * 2 ** this.#crashes);
    this.#crashes += 1;
    return fullMs * (0.5 + this.#random() / 2);
  }
}
