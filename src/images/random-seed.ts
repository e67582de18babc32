import { randomBytes } from 'node:crypto';

/** An unpredictable seed. */
export function randomSeed(): bigint {
  return randomBytes(8).readBigUInt64BE();
}
