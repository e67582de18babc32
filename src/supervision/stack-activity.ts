/** Longer ago does not count. */
const RECENT_MS = 1_000;

interface Seen {
  readonly stackId: string;
  readonly atMs: number;
}

/** Knows whether a stack has the gateway to itself. */
export class StackActivity {
  #latest: Seen | undefined;
  /** The latest of another stack than that. */
  #other: Seen | undefined;

  note(stackId: string, nowMs: number): void {
    if (this.#latest !== undefined && this.#latest.stackId !== stackId) this.#other = this.#latest;
    this.#latest = { stackId, atMs: nowMs };
  }

  /** Whether a request of another stack began in the last second. */
  hasOthers(stackId: string, nowMs: number): boolean {
    const seen = this.#latest?.stackId === stackId ? this.#other : this.#latest;
    return seen !== undefined && nowMs - seen.atMs < RECENT_MS;
  }
}
