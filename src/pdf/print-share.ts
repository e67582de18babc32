/** A stack may print for this part of the time … */
const FRACTION = 1 / 2;
/** … and for about this long at once. */
const BURST_MS = 500;
/** How far ahead of its part a stack can get: what it printed long ago is forgotten. */
const MOST_AHEAD_MS = 5_000;

/** Knows which stacks print most of the time. */
export class PrintShare {
  /** When the printing of a stack is within its part of the time. */
  readonly #withinAtMs = new Map<string, number>();

  /** Stacks that it remembers. */
  get stacks(): number {
    return this.#withinAtMs.size;
  }

  note(stackId: string, { startMs, endMs }: { readonly startMs: number; readonly endMs: number }): void {
    const fromMs = Math.max(this.#withinAtMs.get(stackId) ?? 0, startMs);
    const withinAtMs = Math.min(fromMs + (endMs - startMs) / FRACTION, endMs + MOST_AHEAD_MS);
    this.#forgetBefore(endMs);
    this.#withinAtMs.set(stackId, withinAtMs);
  }

  isExceeded(stackId: string, nowMs: number): boolean {
    return (this.#withinAtMs.get(stackId) ?? 0) - nowMs > BURST_MS;
  }

  #forgetBefore(nowMs: number): void {
    for (const [stackId, withinAtMs] of this.#withinAtMs)
      if (withinAtMs <= nowMs) this.#withinAtMs.delete(stackId);
  }
}
