import type { Dfa, Transition } from '../automata/dfa.ts';
import { minimise } from '../automata/minimise.ts';
import { PatternUnsupported } from '../automata/pattern-unsupported.ts';
import { toDecimal } from './decimal.ts';

/** Each remainder is a state, so the divisor, as an integer, bounds the automaton. */
const MAX_DIVISOR = 1_000;
const MAX_DIVISOR_DECIMALS = 4;

const [MINUS, POINT, ZERO] = [0x2d, 0x2e, 0x30];

/** The least common multiple of the divisors. */
export function commonMultiple(divisors: readonly number[]): number {
  const places = Math.max(...divisors.map((divisor) => toDecimal(divisor).fraction.length));
  const units = divisors.map((divisor) => {
    const { integer, fraction } = toDecimal(divisor);
    return BigInt(integer + fraction.padEnd(places, '0'));
  });
  const common = units.reduce((left, right) => (left / greatestCommon(left, right)) * right);
  return Number(common) / 10 ** places;
}

function greatestCommon(left: bigint, right: bigint): bigint {
  return right === 0n ? left : greatestCommon(right, left % right);
}

/** Reading progress: the number of decimals and the remainder so far. */
interface Progress {
  readonly stage: 'start' | 'integer' | 'point' | 'fraction';
  readonly decimals: number;
  readonly remainder: number;
}

/** The automaton of the decimals that are multiples of the divisor. */
export function multiplesDfa(divisor: number): Dfa {
  const { integer, fraction } = toDecimal(divisor);
  const scaled = Number(integer + fraction);
  if (fraction.length > MAX_DIVISOR_DECIMALS || scaled > MAX_DIVISOR) {
    throw new PatternUnsupported(`${divisor} has too many digits`);
  }
  return minimise(explore(scaled, fraction.length));
}

function explore(divisor: number, decimals: number): Dfa {
  const transitions: Transition[][] = [];
  const accepting: boolean[] = [];
  const numbers = new Map<string, number>();
  const waiting: Progress[] = [];
  const stateOf = (progress: Progress): number => {
    const key = `${progress.stage} ${progress.decimals} ${progress.remainder}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    waiting.push(progress);
    const state = transitions.push([]) - 1;
    numbers.set(key, state);
    const isNumber = progress.stage === 'integer' || progress.stage === 'fraction';
    accepting.push(isNumber && (progress.remainder * 10 ** (decimals - progress.decimals)) % divisor === 0);
    return state;
  };
  const start = stateOf({ stage: 'start', decimals: 0, remainder: 0 });
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    transitions[stateOf(next)] = stepsFrom(next, { divisor, decimals, stateOf });
  }
  return { start, transitions, accepting };
}

interface Exploration {
  readonly divisor: number;
  readonly decimals: number;
  stateOf(progress: Progress): number;
}

function stepsFrom(progress: Progress, { divisor, decimals, stateOf }: Exploration): Transition[] {
  const steps: Transition[] = [];
  if (progress.stage === 'start') steps.push(step(MINUS, stateOf({ ...progress, stage: 'integer' })));
  if (progress.stage === 'integer') steps.push(step(POINT, stateOf({ ...progress, stage: 'point' })));
  for (let digit = 0; digit <= 9; digit++) {
    const next = readDigit(progress, { digit, divisor, decimals });
    if (next) steps.push(step(ZERO + digit, stateOf(next)));
  }
  return steps;
}

function readDigit(
  { stage, decimals: read, remainder }: Progress,
  {
    digit,
    divisor,
    decimals,
  }: { readonly digit: number; readonly divisor: number; readonly decimals: number },
): Progress | undefined {
  if (stage === 'start' || stage === 'integer') {
    return { stage: 'integer', decimals: 0, remainder: (remainder * 10 + digit) % divisor };
  }
  if (read < decimals) {
    return { stage: 'fraction', decimals: read + 1, remainder: (remainder * 10 + digit) % divisor };
  }
  // Beyond the divisor's decimals, only zeros may follow.
  return digit === 0 ? { stage: 'fraction', decimals: read, remainder } : undefined;
}

function step(codePoint: number, target: number): Transition {
  return { low: codePoint, high: codePoint, target };
}
