import { bytesAttacks } from './attacks/bytes.mjs';
import { countingAttacks } from './attacks/counting.mjs';
import { diskAttacks } from './attacks/disk.mjs';
import { keysAttacks } from './attacks/keys.mjs';
import { linesAttacks } from './attacks/lines.mjs';
import { schemasAttacks } from './attacks/schemas.mjs';
import { templatesAttacks } from './attacks/templates.mjs';

/**
 * Everything that the noisy tenant does: `name`, what it is in a few words (`what`), the engines for which it makes sense, what it `needs`,
 * `prepare` before anybody measures, and `run` until `noise.goesOn` is false.
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

/** The attack of that name. */
export function findAttack(name) {
  return attacks.find((attack) => attack.name === name);
}
