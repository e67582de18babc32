const MINUTE_MS = 60_000;
const MANY_MOMENTS = 64;

/**
 * Remembers what was taken for a minute. What is taken within one millisecond comes back together, at its end, so that the
 * busiest minute is 60,000 moments.
 */
export class LastMinute {
  /** The oldest first; those before the first are over. */
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

  /** Forgets what was taken a minute ago, and tells how much that is. */
  forgetOld(nowMs: number): number {
    let amount = 0;
    while ((this.#moments[this.#first] ?? nowMs) <= nowMs - MINUTE_MS) {
      amount += this.#amounts[this.#first] ?? 0;
      this.#first += 1;
    }
    this.#makeRoom();
    return amount;
  }

  /** Until something, or all, of what is remembered is over; undefined where nothing is. */
  overInMs(nowMs: number, which: 'next' | 'all'): number | undefined {
    const moment = this.#moments[which === 'next' ? this.#first : this.#moments.length - 1];
    return moment === undefined || this.#first === this.#moments.length
      ? undefined
      : moment + MINUTE_MS - nowMs;
  }

  /** Now and then, because all that are left move. */
  #makeRoom(): void {
    if (this.#first < MANY_MOMENTS || 2 * this.#first < this.#moments.length) return;
    this.#moments.splice(0, this.#first);
    this.#amounts.splice(0, this.#first);
    this.#first = 0;
  }
}
