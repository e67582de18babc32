/** How long to wait after a crash before the next start. */
export interface BackoffPolicy {
  readonly firstMs: number;
  readonly maxMs: number;
  /** A child that was ready for this long before it crashed is forgiven its earlier crashes. */
  readonly stableMs: number;
  readonly degradedAfterCrashes: number;
}

/** Suits a child that starts within seconds. */
export const defaultBackoff: BackoffPolicy = {
  firstMs: 200,
  maxMs: 30_000,
  stableMs: 60_000,
  degradedAfterCrashes: 3,
};

/** Counts quick crashes and says how long to wait after each: doubling, capped, with half of it random. */
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
