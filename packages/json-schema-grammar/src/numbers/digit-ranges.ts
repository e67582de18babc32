import {
  choice,
  EMPTY_TEXT,
  literal,
  type RegexNode,
  repeat,
  sequence,
  set,
} from '../automata/regex-node.ts';

const ZERO = 0x30;

/** One digit from `low` to `high`. */
export function digit(low: number, high: number): RegexNode {
  return set([{ low: ZERO + low, high: ZERO + high }]);
}

export const ANY_DIGIT: RegexNode = digit(0, 9);

/** The integers from `low` to `high`, both non-negative, without leading zeros. */
export function wholeNumbers(low: bigint, high: bigint): RegexNode {
  const options: RegexNode[] = [];
  for (let length = String(low).length; length <= String(high).length; length++) {
    const smallest = length === 1 ? 0n : 10n ** BigInt(length - 1);
    const largest = 10n ** BigInt(length) - 1n;
    const from = smallest > low ? smallest : low;
    const to = largest < high ? largest : high;
    if (from <= to) options.push(sameLength(String(from), String(to)));
  }
  return choice(options);
}

/** The digit strings from `low` to `high`, all of the same length. */
function sameLength(low: string, high: string): RegexNode {
  if (low === high) return literal(low);
  const shared = commonPrefix(low, high);
  const [first, last] = [Number(low[shared]), Number(high[shared])];
  const [lowRest, highRest] = [low.slice(shared + 1), high.slice(shared + 1)];
  const nines = '9'.repeat(lowRest.length);
  const zeros = '0'.repeat(lowRest.length);
  const isLowWhole = lowRest === zeros;
  const isHighWhole = highRest === nines;
  const options: RegexNode[] = [];
  if (!isLowWhole) options.push(sequence(digit(first, first), sameLength(lowRest, nines)));
  if (!isHighWhole) options.push(sequence(digit(last, last), sameLength(zeros, highRest)));
  const from = isLowWhole ? first : first + 1;
  const to = isHighWhole ? last : last - 1;
  const rest = lowRest === '' ? EMPTY_TEXT : repeat(ANY_DIGIT, lowRest.length, lowRest.length);
  if (from <= to) options.push(sequence(digit(from, to), rest));
  return sequence(literal(low.slice(0, shared)), choice(options));
}

function commonPrefix(left: string, right: string): number {
  let length = 0;
  while (left[length] === right[length]) length += 1;
  return length;
}
