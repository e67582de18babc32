import { z } from 'zod';
import { TEMPERATURE, TOP_P } from '../../config/sampling-ranges.ts';
import { LEAST_OUTPUT_TOKENS, MOST_OUTPUT_TOKENS } from '../text-limits.ts';

/** A number from one bound to the other. */
export function numberIn({ minimum, maximum }: { readonly minimum: number; readonly maximum: number }) {
  const expected = `a number from ${minimum} to ${maximum}`;
  return z.number(expected).min(minimum, expected).max(maximum, expected);
}

const topP = `a number above ${TOP_P.above}, up to ${TOP_P.maximum}`;

/** Number schemas that all formats share. */
export const numberFields = {
  temperature: numberIn(TEMPERATURE),
  topP: z.number(topP).gt(TOP_P.above, topP).lte(TOP_P.maximum, topP),
  // Any size, even beyond the safe integers.
  integer: z.number('an integer').refine(Number.isInteger, 'an integer').meta({ type: 'integer' }),
};

/** The maximum tokens of an answer. */
export const tokenLimitField = numberFields.integer
  .nullish()
  .describe(
    `Clamped into ${LEAST_OUTPUT_TOKENS} to ${MOST_OUTPUT_TOKENS}; ${LEAST_OUTPUT_TOKENS} where absent.`,
  );
