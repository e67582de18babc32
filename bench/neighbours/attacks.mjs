import { bytesAttacks } from './attacks/bytes.mjs';
import { countingAttacks } from './attacks/counting.mjs';
import { diskAttacks } from './attacks/disk.mjs';
import { keysAttacks } from './attacks/keys.mjs';
import { linesAttacks } from './attacks/lines.mjs';
import { schemasAttacks } from './attacks/schemas.mjs';
import { templatesAttacks } from './attacks/templates.mjs';

/**
 * The attacks: `name`, a short description (`what`), suitable engines, what it `needs`, `prepare` before the measurement, and
 * `run` until `noise.goesOn` is false.
 */
export const attacks = [
  ...countingAttacks,
  ...bytesAttacks,
  ...schemasAttacks,
  ...linesAttacks,
  ...keysAttacks,
  ...templatesAttacks,
  ...diskAttacks,
];

export function findAttack(name) {
  return attacks.find((attack) => attack.name === name);
}
