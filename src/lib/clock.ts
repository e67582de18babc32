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

/** The clock of the machine. */
export const systemClock: Clock = {
  nowMs: () => performance.now(),
  after(delayMs, run) {
    const timeout = setTimeout(run, delayMs);
    return { cancel: () => clearTimeout(timeout) };
  },
};
