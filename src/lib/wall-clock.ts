/** The time of day, passed in so that tests can hold it. */
export interface WallClock {
  /** Milliseconds since 1970. */
  nowMs(): number;
}

/** The machine's time of day. */
export const wallClock: WallClock = { nowMs: () => Date.now() };
