import type { WallClock } from '../src/lib/wall-clock.ts';

/** A time of day that stands still until it is moved. */
export class HeldClock implements WallClock {
  #nowMs: number;

  constructor(nowMs = Date.UTC(2026, 0, 1)) {
    this.#nowMs = nowMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  /** Moves the time; negative to set the clock back. */
  advance(byMs: number): void {
    this.#nowMs += byMs;
  }
}
