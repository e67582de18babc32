/** Exit codes, for scripts. */
export const exitCodes = {
  done: 0,
  failed: 1,
  /** Wrong arguments or an invalid configuration. */
  usage: 2,
  /** The request cannot be fulfilled: no such stack, a name that is taken. */
  refused: 3,
  /** The database or the data folder is not usable now. */
  unavailable: 4,
} as const;
