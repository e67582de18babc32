import { randomBytes } from 'node:crypto';

/** A seed that nobody can foresee. */
export function randomSeed(): bigint {
  return randomBytes(8).readBigUInt64BE();
}
