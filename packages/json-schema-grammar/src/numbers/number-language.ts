import type { Dfa } from '../automata/dfa.ts';
import { complement, intersect } from '../automata/dfa-algebra.ts';
import { attempt, PatternUnsupported } from '../automata/pattern-unsupported.ts';
import { commonMultiple, multiplesDfa } from './multiples.ts';
import { anyNumberDfa, decimalDfa, excludeNumbers, integerDfa, type NumberBound } from './number-dfa.ts';

/** With more combinations of remainders, the digits of numbers without bounds are not limited. */
const MAX_COUNTED_REMAINDERS = 60;

/** Bounds of this size are ignored: without exponent, no number is written that large. */
const OUT_OF_REACH = 1e21;

/** Conditions on a number. */
export interface NumberConditions {
  readonly isInteger: boolean;
  readonly minimums: readonly NumberBound[];
  readonly maximums: readonly NumberBound[];
  readonly divisors: readonly number[];
  /** The number is not a multiple of these. */
  readonly excludedDivisors: readonly number[];
  readonly excluded: readonly number[];
}

/** The spellings of the numbers that meet the conditions. */
export interface NumberLanguage {
  readonly dfa: Dfa;
  /** The condition that is not enforced, and why. */
  readonly unsupported?: UnsupportedNumbers;
}

export interface UnsupportedNumbers {
  readonly keyword: 'multipleOf' | 'minimum';
  readonly reason: PatternUnsupported;
}

/** Turns conditions on a number into an automaton. */
export function numberLanguage(conditions: NumberConditions): NumberLanguage {
  const remainders = attempt(() => remainderDfas(conditions));
  const known = remainders instanceof PatternUnsupported ? [] : remainders;
  const combinations = known.reduce((product, dfa) => product * dfa.transitions.length, 1);
  const base = attempt(() => numbers(conditions, combinations));
  // A bound has hundreds of digits.
  if (base instanceof PatternUnsupported) {
    return { dfa: anyNumberDfa(conditions), unsupported: { keyword: 'minimum', reason: base } };
  }
  const dfa =
    remainders instanceof PatternUnsupported ? remainders : attempt(() => known.reduce(intersect, base));
  if (!(dfa instanceof PatternUnsupported)) return { dfa };
  return { dfa: base, unsupported: { keyword: 'multipleOf', reason: dfa } };
}

function remainderDfas({ isInteger, divisors, excludedDivisors }: NumberConditions): readonly Dfa[] {
  const restricting = divisors.filter((divisor) => !isInteger || !Number.isInteger(1 / divisor));
  return [
    ...(restricting.length > 0 ? [multiplesDfa(commonMultiple(restricting))] : []),
    ...excludedDivisors.map((divisor) => complement(multiplesDfa(divisor))),
  ];
}

function numbers({ isInteger, excluded, minimums, maximums }: NumberConditions, combinations = 1): Dfa {
  const isOpen = combinations > MAX_COUNTED_REMAINDERS && minimums.length + maximums.length === 0;
  const minimum = tightest(minimums, (a, b) => a > b);
  const maximum = tightest(maximums, (a, b) => a < b);
  const range = {
    minimum: minimum && minimum.value > -OUT_OF_REACH ? minimum : undefined,
    maximum: maximum && maximum.value < OUT_OF_REACH ? maximum : undefined,
  };
  const within = isInteger ? integerDfa(range) : decimalDfa(range);
  return excludeNumbers(isOpen ? anyNumberDfa({ isInteger }) : within, excluded);
}

function tightest(
  bounds: readonly NumberBound[],
  isTighter: (value: number, other: number) => boolean,
): NumberBound | undefined {
  return bounds.reduce<NumberBound | undefined>((best, bound) => {
    if (!best || isTighter(bound.value, best.value)) return bound;
    return bound.value === best.value && bound.exclusive ? bound : best;
  }, undefined);
}
