import { performance } from 'node:perf_hooks';
import type { WallClock } from './wall-clock.ts';

/** Cancelling twice, or after it ran, does nothing. */
export interface Timer {
  cancel(): void;
}

/** A source of time, replaced in tests. */
export interface Clock {
  /** Monotonic milliseconds from an arbitrary origin. */
  nowMs(): number;
  after(delayMs: number, run: () => void): Timer;
}

const settled = Promise.resolve();
let turnMs: number | undefined;
let turnWallMs: number | undefined;
const forgetTurn = () => {
  turnMs = undefined;
  turnWallMs = undefined;
};

/**
 * Like `Clock.nowMs`, but read once per callback of the event loop: a request asks a dozen times, and each reading has a cost.
 */
export function turnNowMs(): number {
  if (turnMs !== undefined) return turnMs;
  turnMs = performance.now();
  void settled.then(forgetTurn);
  return turnMs;
}

/** The time of day, read once per callback of the event loop. */
export const turnWallClock: WallClock = {
  nowMs() {
    if (turnWallMs !== undefined) return turnWallMs;
    // Both are reset together.
    turnNowMs();
    turnWallMs = Date.now();
    return turnWallMs;
  },
};

/** The system clock, read once per callback of the event loop. */
export const turnClock: Clock = { nowMs: turnNowMs, after };

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  after,
};

function after(delayMs: number, run: () => void): Timer {
  const timeout = setTimeout(run, delayMs);
  return { cancel: () => clearTimeout(timeout) };
}
