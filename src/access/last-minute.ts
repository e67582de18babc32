const MINUTE_MS = 60_000;
const MANY_MOMENTS = 64;

/** Sliding window of one minute. Amounts taken within the same millisecond share an entry, so there are at most 60,000. */
export class LastMinute {
  /** Oldest first; entries before `#first` have expired. */
  readonly #moments: number[] = [];
  readonly #amounts: number[] = [];
  #first = 0;

  add(amount: number, nowMs: number): void {
    const moment = Math.ceil(nowMs);
    const last = this.#moments.length - 1;
    if (last >= this.#first && this.#moments[last] === moment) {
      this.#amounts[last] = (this.#amounts[last] ?? 0) + amount;
      return;
    }
    this.#moments.push(moment);
    this.#amounts.push(amount);
  }

  /** Drops expired entries and returns their sum. */
  forgetOld(nowMs: number): number {
    let amount = 0;
    while ((this.#moments[this.#first] ?? nowMs) <= nowMs - MINUTE_MS) {
      amount += this.#amounts[this.#first] ?? 0;
      this.#first += 1;
    }
    this.#makeRoom();
    return amount;
  }

  /** Time until the next, or the last, entry expires; undefined if there is none. */
  overInMs(nowMs: number, which: 'next' | 'all'): number | undefined {
    const moment = this.#moments[which === 'next' ? this.#first : this.#moments.length - 1];
    return moment === undefined || this.#first === this.#moments.length
      ? undefined
      : moment + MINUTE_MS - nowMs;
  }

  /** Occasionally, because it moves all remaining entries. */
  #makeRoom(): void {
    if (this.#first < MANY_MOMENTS || 2 * this.#first < this.#moments.length) return;
    this.#moments.splice(0, this.#first);
    this.#amounts.splice(0, this.#first);
    this.#first = 0;
  }
}
