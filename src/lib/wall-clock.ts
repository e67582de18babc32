/** The time of day; replaced in tests. */
export interface WallClock {
  /** Milliseconds since 1970. */
  nowMs(): number;
}

export const wallClock: WallClock = { nowMs: () => Date.now() };
