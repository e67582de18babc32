import {
  choice,
  EMPTY_TEXT,
  literal,
  NOTHING,
  type RegexNode,
  repeat,
  sequence,
} from '../automata/regex-node.ts';
import type { Decimal } from './decimal.ts';
import { ANY_DIGIT, digit, wholeNumbers } from './digit-ranges.ts';

/** A bound of an absolute value. */
export interface MagnitudeBound extends Decimal {
  readonly exclusive: boolean;
}

/** Most digits written; a double distinguishes any two decimals of up to fifteen digits. */
export interface DigitLimits {
  readonly integerDigits: number;
  readonly fractionDigits: number;
}

const ZERO = digit(0, 0);

/** Every decimal without sign. */
export function anyMagnitude(limits: DigitLimits): RegexNode {
  return sequence(wholeNumbers(0n, largestInteger(limits)), optionalFraction(limits));
}

/** The decimals without sign that are not below the bound. */
export function magnitudesFrom(bound: MagnitudeBound, limits: DigitLimits): RegexNode {
  const next = BigInt(bound.integer) + 1n;
  const largest = largestInteger(limits);
  return choice([
    // If the bound exceeds the usual number of digits, one more digit is allowed.
    sequence(wholeNumbers(next, largest < next ? next * 10n : largest), optionalFraction(limits)),
    sequence(literal(bound.integer), fractionsFrom(bound, limits)),
  ]);
}

/** The decimals without sign that are not above the bound. */
export function magnitudesUpTo(bound: MagnitudeBound, limits: DigitLimits): RegexNode {
  const integer = BigInt(bound.integer);
  const below = integer > 0n ? sequence(wholeNumbers(0n, integer - 1n), optionalFraction(limits)) : NOTHING;
  return choice([below, sequence(literal(bound.integer), fractionsUpTo(bound, limits))]);
}

function largestInteger({ integerDigits }: DigitLimits): bigint {
  return 10n ** BigInt(integerDigits) - 1n;
}

function optionalFraction({ fractionDigits }: DigitLimits): RegexNode {
  return repeat(sequence(literal('.'), repeat(ANY_DIGIT, 1, fractionDigits)), 0, 1);
}

function fractionsFrom(bound: MagnitudeBound, limits: DigitLimits): RegexNode {
  if (bound.fraction === '' && !bound.exclusive) return optionalFraction(limits);
  const above = [...bound.fraction].map((character, index) =>
    Number(character) === 9 ? NOTHING : greaterAt(bound.fraction, index, limits),
  );
  const room = Math.max(limits.fractionDigits - bound.fraction.length, 0);
  const beyond = bound.exclusive
    ? choice(
        countTo(room).map((zeros) =>
          sequence(repeat(ZERO, zeros, zeros), digit(1, 9), digits(room - zeros - 1)),
        ),
      )
    : digits(room);
  return sequence(literal('.'), choice([...above, sequence(literal(bound.fraction), beyond)]));
}

function fractionsUpTo(bound: MagnitudeBound, limits: DigitLimits): RegexNode {
  const below = [...bound.fraction].map((character, index) =>
    Number(character) === 0 ? NOTHING : smallerAt(bound.fraction, index, limits),
  );
  // The fraction has no trailing zeros, so every proper prefix is smaller.
  const shortened = [...bound.fraction]
    .slice(1)
    .map((_, index) => literal(bound.fraction.slice(0, index + 1)));
  const isWhole = bound.fraction === '';
  const room = Math.max(limits.fractionDigits - bound.fraction.length, isWhole ? 1 : 0);
  const equal = bound.exclusive
    ? NOTHING
    : sequence(literal(bound.fraction), repeat(ZERO, isWhole ? 1 : 0, room));
  const withPoint = sequence(literal('.'), choice([...below, ...shortened, equal]));
  return isWhole && bound.exclusive ? NOTHING : choice([EMPTY_TEXT, withPoint]);
}

function greaterAt(fraction: string, index: number, limits: DigitLimits): RegexNode {
  return differentAt(fraction, index, { next: digit(Number(fraction[index]) + 1, 9), limits });
}

function smallerAt(fraction: string, index: number, limits: DigitLimits): RegexNode {
  return differentAt(fraction, index, { next: digit(0, Number(fraction[index]) - 1), limits });
}

function differentAt(
  fraction: string,
  index: number,
  { next, limits }: { readonly next: RegexNode; readonly limits: DigitLimits },
): RegexNode {
  return sequence(literal(fraction.slice(0, index)), next, digits(limits.fractionDigits - index - 1));
}

function digits(most: number): RegexNode {
  return repeat(ANY_DIGIT, 0, Math.max(most, 0));
}

function countTo(end: number): readonly number[] {
  return [...Array(end).keys()];
}
