/** What a script can branch on. */
export const exitCodes = {
  done: 0,
  failed: 1,
  /** Wrong arguments, or a configuration with problems. */
  usage: 2,
  /** What was asked for cannot be done: no such stack, a name that is taken. */
  refused: 3,
  /** The database or the data folder cannot be used now. */
  unavailable: 4,
} as const;
