/** Time, passed in so that tests can hold it. */
export interface Clock {
  nowMs(): number;
}

/** The machine's time. */
export const systemClock: Clock = { nowMs: () => Date.now() };
