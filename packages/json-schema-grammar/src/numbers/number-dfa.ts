import { type Dfa, EMPTY_LANGUAGE } from '../automata/dfa.ts';
import { complement, intersect } from '../automata/dfa-algebra.ts';
import { minimise } from '../automata/minimise.ts';
import { wholeTextDfa } from '../automata/pattern-dfa.ts';
import { choice, literal, NOTHING, type RegexNode, repeat, sequence } from '../automata/regex-node.ts';
import { toDecimal } from './decimal.ts';
import { ANY_DIGIT, digit, wholeNumbers } from './digit-ranges.ts';
import { anyMagnitude, type DigitLimits, magnitudesFrom, magnitudesUpTo } from './magnitudes.ts';

/** One end of a range. */
export interface NumberBound {
  readonly value: number;
  readonly exclusive: boolean;
}

/** The numbers between two bounds; without a bound, that side is open. */
export interface NumberRange {
  readonly minimum?: NumberBound | undefined;
  readonly maximum?: NumberBound | undefined;
}

/** A double distinguishes decimals of this many digits, so comparing digits is comparing numbers. */
const EXACT_DIGITS = 15;

const MINUS = 0x2d;

/** The automaton of the integers in the range. */
export function integerDfa({ minimum, maximum }: NumberRange): Dfa {
  const cap = 10n ** BigInt(EXACT_DIGITS) - 1n;
  const low = minimum ? smallestInteger(minimum) : undefined;
  const high = maximum ? largestInteger(maximum) : undefined;
  const from = low ?? (high !== undefined && high < -cap ? high * 10n : -cap);
  const to = high ?? (from > cap ? from * 10n : cap);
  if (from > to) return EMPTY_LANGUAGE;
  const negative = from < 0n ? wholeNumbers(to < 0n ? -to : 1n, -from) : NOTHING;
  const positive = to >= 0n ? wholeNumbers(from > 0n ? from : 0n, to) : NOTHING;
  return wholeTextDfa(choice([sequence(literal('-'), negative), positive]));
}

/** The automaton of the decimals in the range, without exponent. */
export function decimalDfa(range: NumberRange): Dfa {
  const limits = limitsFor(range);
  const positive = magnitudes(range, limits);
  const mirrored = magnitudes({ minimum: mirror(range.maximum), maximum: mirror(range.minimum) }, limits);
  return minimise(withNegatives(positive, mirrored));
}

/** The texts of the first automaton, none of which begins with a minus, and those of the second after a minus. */
function withNegatives(positive: Dfa, negative: Dfa): Dfa {
  const offset = positive.transitions.length;
  const moved = negative.transitions.map((steps) =>
    steps.map(({ low, high, target }) => ({ low, high, target: target + offset })),
  );
  const minus = { low: MINUS, high: MINUS, target: negative.start + offset };
  const start = offset + moved.length;
  return {
    start,
    // The code point of the minus is below those of the digits.
    transitions: [
      ...positive.transitions,
      ...moved,
      [minus, ...(positive.transitions[positive.start] ?? [])],
    ],
    accepting: [...positive.accepting, ...negative.accepting, false],
  };
}

/** The automaton of the numbers of any length, without exponent. */
export function anyNumberDfa({ isInteger }: { readonly isInteger: boolean }): Dfa {
  const digits = repeat(ANY_DIGIT, 0, Infinity);
  const positive = sequence(digit(1, 9), digits);
  const signed = choice([literal('0'), positive, sequence(literal('-'), positive)]);
  const fraction = sequence(literal('.'), ANY_DIGIT, digits);
  const decimal = sequence(repeat(literal('-'), 0, 1), choice([literal('0'), positive]), fraction);
  return wholeTextDfa(isInteger ? signed : choice([signed, decimal]));
}

/** Removes every spelling of the excluded numbers. */
export function excludeNumbers(dfa: Dfa, excluded: readonly number[]): Dfa {
  if (excluded.length === 0) return dfa;
  return intersect(dfa, complement(wholeTextDfa(choice(excluded.map(waysToWrite)))));
}

/** Every spelling of a number: any trailing zeros, and both signs for zero. */
function waysToWrite(value: number): RegexNode {
  const { integer, fraction } = toDecimal(value);
  const zeros = repeat(digit(0, 0), fraction === '' ? 1 : 0, Infinity);
  const decimals = sequence(literal(`.${fraction}`), zeros);
  return sequence(
    repeat(literal('-'), value < 0 ? 1 : 0, value > 0 ? 0 : 1),
    literal(integer),
    fraction === '' ? repeat(decimals, 0, 1) : decimals,
  );
}

function magnitudes({ minimum, maximum }: NumberRange, limits: DigitLimits): Dfa {
  if (maximum && maximum.value < 0) return EMPTY_LANGUAGE;
  const from = minimum && minimum.value >= 0 ? minimum : undefined;
  const low = whole(from ? magnitudesFrom(magnitude(from), limits) : anyMagnitude(limits));
  return maximum ? intersect(low, whole(magnitudesUpTo(magnitude(maximum), limits))) : low;
}

const whole = (node: RegexNode) => wholeTextDfa(node);
const magnitude = ({ value, exclusive }: NumberBound) => ({ ...toDecimal(value), exclusive });

function mirror(bound: NumberBound | undefined): NumberBound | undefined {
  return bound && { value: -bound.value, exclusive: bound.exclusive };
}

function limitsFor({ minimum, maximum }: NumberRange): DigitLimits {
  const decimals = [minimum, maximum].flatMap((bound) => (bound ? [toDecimal(bound.value)] : []));
  const integerDigits = Math.max(1, ...decimals.map(({ integer }) => integer.length));
  const fractionDigits = Math.max(1, ...decimals.map(({ fraction }) => fraction.length));
  return {
    integerDigits: EXACT_DIGITS,
    fractionDigits: Math.max(fractionDigits, EXACT_DIGITS - integerDigits),
  };
}

function smallestInteger({ value, exclusive }: NumberBound): bigint {
  const rounded = BigInt(Math.ceil(value));
  return exclusive && Number.isInteger(value) ? rounded + 1n : rounded;
}

function largestInteger({ value, exclusive }: NumberBound): bigint {
  const rounded = BigInt(Math.floor(value));
  return exclusive && Number.isInteger(value) ? rounded - 1n : rounded;
}
