import { performance } from 'node:perf_hooks';
import type { WallClock } from './wall-clock.ts';

/** A timer that has been set; cancelling it twice, or after it ran, does nothing. */
export interface Timer {
  cancel(): void;
}

/** Where time comes from, so that tests can hold it still. */
export interface Clock {
  /** Milliseconds from a fixed but unknown point; never goes backwards. */
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
 * Milliseconds as `Clock.nowMs` tells them, but read once for all that happens in one go: a request would ask a dozen times,
 * and each reading costs as much as a small part of its work. After the callback that runs, it is read again.
 */
export function turnNowMs(): number {
  if (turnMs !== undefined) return turnMs;
  turnMs = performance.now();
  void settled.then(forgetTurn);
  return turnMs;
}

/** The machine's time of day, read once for all that happens in one go. */
export const turnWallClock: WallClock = {
  nowMs() {
    if (turnWallMs !== undefined) return turnWallMs;
    // Both are forgotten together.
    turnNowMs();
    turnWallMs = Date.now();
    return turnWallMs;
  },
};

/** The clock of the machine, read once for all that happens in one go. */
export const turnClock: Clock = { nowMs: turnNowMs, after };

/** The clock of the machine. */
export const systemClock: Clock = {
  nowMs: () => performance.now(),
  after,
};

function after(delayMs: number, run: () => void): Timer {
  const timeout = setTimeout(run, delayMs);
  return { cancel: () => clearTimeout(timeout) };
}
