import { LAST_CODE_POINT } from './character-set.ts';
import { type Dfa, isEmptyLanguage, type Transition } from './dfa.ts';
import { minimise, trim } from './minimise.ts';
import { PatternUnsupported } from './pattern-unsupported.ts';

/** Most states of a product. */
const MAX_PRODUCT_STATES = 8_000;

/** Accepts the texts that both accept. */
export function intersect(left: Dfa, right: Dfa): Dfa {
  return minimise(product(left, right, (a, b) => a && b));
}

/** Accepts the texts that either accepts. */
export function unite(left: Dfa, right: Dfa): Dfa {
  if (isEmptyLanguage(left)) return right;
  if (isEmptyLanguage(right)) return left;
  return minimise(product(complete(left), complete(right), (a, b) => a || b));
}

/** Accepts the texts that the automaton rejects; minimal if the automaton is. */
export function complement(dfa: Dfa): Dfa {
  const { start, transitions, accepting } = complete(dfa);
  return trim({ start, transitions, accepting: accepting.map((accepts) => !accepts) });
}

/** The same language with a transition for every character: rejection becomes a state. */
function complete(dfa: Dfa): Dfa {
  const refusal = dfa.transitions.length;
  const transitions = dfa.transitions.map((known) => fillGaps(known, refusal));
  transitions.push([{ low: 0, high: LAST_CODE_POINT, target: refusal }]);
  return { start: dfa.start, transitions, accepting: [...dfa.accepting, false] };
}

function fillGaps(known: readonly Transition[], refusal: number): readonly Transition[] {
  const filled: Transition[] = [];
  let next = 0;
  for (const transition of known) {
    if (transition.low > next) filled.push({ low: next, high: transition.low - 1, target: refusal });
    filled.push(transition);
    next = transition.high + 1;
  }
  if (next <= LAST_CODE_POINT) filled.push({ low: next, high: LAST_CODE_POINT, target: refusal });
  return filled;
}

/** Runs both automata in parallel. */
function product(left: Dfa, right: Dfa, accepts: (left: boolean, right: boolean) => boolean): Dfa {
  const transitions: Transition[][] = [];
  const accepting: boolean[] = [];
  const numbers = new Map<number, number>();
  const waiting: { readonly state: number; readonly pair: readonly [number, number] }[] = [];
  const stateOf = (a: number, b: number): number => {
    const key = a * right.transitions.length + b;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    if (transitions.length >= MAX_PRODUCT_STATES)
      throw new PatternUnsupported('the patterns are too large together');
    const state = transitions.push([]) - 1;
    numbers.set(key, state);
    accepting.push(accepts(left.accepting[a] === true, right.accepting[b] === true));
    waiting.push({ state, pair: [a, b] });
    return state;
  };
  const start = stateOf(left.start, right.start);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [a, b] = next.pair;
    transitions[next.state] = overlaps(left.transitions[a] ?? [], right.transitions[b] ?? [], stateOf);
  }
  return { start, transitions, accepting };
}

function overlaps(
  left: readonly Transition[],
  right: readonly Transition[],
  stateOf: (left: number, right: number) => number,
): Transition[] {
  const shared: Transition[] = [];
  let leftIndex = 0;
  let rightIndex = 0;
  for (;;) {
    const a = left[leftIndex];
    const b = right[rightIndex];
    if (!a || !b) return shared;
    const low = Math.max(a.low, b.low);
    const high = Math.min(a.high, b.high);
    if (low <= high) shared.push({ low, high, target: stateOf(a.target, b.target) });
    if (a.high < b.high) leftIndex += 1;
    else rightIndex += 1;
  }
}
