import { type CharacterSet, WORD_CHARACTERS } from './character-set.ts';
import { type Assertion, type Fragment, type FreeStep, Nfa } from './nfa.ts';
import { isRegex } from './pattern-dfa.ts';
import { PatternUnsupported } from './pattern-unsupported.ts';
import type { RegexNode } from './regex-node.ts';
import { parseRegex } from './regex-parser.ts';
import type { UnicodeProperties } from './unicode-properties.ts';

type Lookaround = Extract<Assertion, { readonly type: 'lookahead' | 'lookbehind' }>;
type Direction = 'forward' | 'backward';

/** For each lookaround, a flag per position of the text. */
type Holds = Map<Assertion, Uint8Array>;

/**
 * Matches a pattern by simulating its NFA, in time proportional to the length of the text times the size of the pattern.
 * Each lookaround is evaluated for all positions first, from its far end, and costs as much as a pattern.
 * Throws PatternUnsupported for back-references and for patterns with too many states.
 */
export class PatternMatcher {
  readonly #nfa: Nfa;
  readonly #found: Fragment;
  /** Inner ones first. */
  readonly #lookarounds = new Map<Lookaround, Fragment>();

  constructor(pattern: string, properties: UnicodeProperties) {
    if (!isRegex(pattern)) throw new PatternUnsupported('it is not a regular expression');
    this.#nfa = new Nfa((assertion) => this.#addLookaround(assertion));
    this.#found = this.#nfa.add(parseRegex(pattern, properties));
  }

  /** Number of NFA states, a measure of memory use. */
  get states(): number {
    return this.#nfa.steps.length;
  }

  /** Whether the pattern is found anywhere in the text. */
  test(text: string): boolean {
    const codePoints = Int32Array.from(text, (character) => character.codePointAt(0) ?? 0);
    const holds: Holds = new Map();
    for (const [lookaround, fragment] of this.#lookarounds) {
      const flags = new Uint8Array(codePoints.length + 1);
      const direction = lookaround.type === 'lookahead' ? 'backward' : 'forward';
      for (const position of this.#ends(fragment, codePoints, { direction, holds })) flags[position] = 1;
      holds.set(lookaround, flags);
    }
    return !this.#ends(this.#found, codePoints, { direction: 'forward', holds }).next().done;
  }

  #addLookaround(assertion: Assertion): void {
    if (assertion.type === 'boundary' || this.#lookarounds.has(assertion)) return;
    const isAhead = assertion.type === 'lookahead';
    const fragment = this.#nfa.add(isAhead ? reversed(assertion.node) : assertion.node);
    this.#lookarounds.set(assertion, fragment);
  }

  /** Positions where a match ends that began anywhere, in reading order. */
  *#ends(
    { entry, exit }: Fragment,
    codePoints: Int32Array,
    { direction, holds }: { readonly direction: Direction; readonly holds: Holds },
  ): Generator<number, void> {
    const reached = new StateSet(this.#nfa.steps.length);
    let targets: readonly number[] = [];
    for (let read = 0; read <= codePoints.length; read++) {
      const position = direction === 'forward' ? read : codePoints.length - read;
      reached.clear();
      reached.add(entry);
      for (const target of targets) reached.add(target);
      for (const state of reached.states) {
        for (const step of this.#nfa.freeSteps[state] ?? []) {
          if (isAllowed(step, { codePoints, position, holds })) reached.add(step.target);
        }
      }
      if (reached.has(exit)) yield position;
      targets = this.#read(
        reached.states,
        codePoints[direction === 'forward' ? position : position - 1] ?? -1,
      );
    }
  }

  #read(states: readonly number[], codePoint: number): readonly number[] {
    const targets: number[] = [];
    for (const state of states) {
      for (const { set, target } of this.#nfa.steps[state] ?? [])
        if (isIn(set, codePoint)) targets.push(target);
    }
    return targets;
  }
}

/** A set of states in insertion order. */
class StateSet {
  readonly states: number[] = [];
  readonly #marks: Int32Array;
  #mark = 0;

  constructor(size: number) {
    this.#marks = new Int32Array(size);
  }

  clear(): void {
    this.states.length = 0;
    this.#mark += 1;
  }

  add(state: number): void {
    if (this.has(state)) return;
    this.#marks[state] = this.#mark;
    this.states.push(state);
  }

  has(state: number): boolean {
    return this.#marks[state] === this.#mark;
  }
}

function isAllowed(
  { only }: FreeStep,
  at: { readonly codePoints: Int32Array; readonly position: number; readonly holds: Holds },
): boolean {
  const { codePoints, position, holds } = at;
  if (only === undefined) return true;
  if (only === 'start') return position === 0;
  if (only === 'end') return position === codePoints.length;
  const isTrue =
    only.type === 'boundary'
      ? isWord(codePoints[position - 1]) !== isWord(codePoints[position])
      : holds.get(only)?.[position] === 1;
  return isTrue !== only.negated;
}

function isWord(codePoint: number | undefined): boolean {
  return codePoint !== undefined && isIn(WORD_CHARACTERS, codePoint);
}

function isIn(set: CharacterSet, codePoint: number): boolean {
  let [first, behind] = [0, set.length];
  while (first < behind) {
    const middle = (first + behind) >>> 1;
    const range = set[middle];
    if (range === undefined || codePoint < range.low) behind = middle;
    else if (codePoint > range.high) first = middle + 1;
    else return true;
  }
  return false;
}

/** The expression for the reversed text; assertions stay the same. */
function reversed(node: RegexNode): RegexNode {
  switch (node.type) {
    case 'sequence':
      return { type: 'sequence', parts: node.parts.map(reversed).reverse() };
    case 'choice':
      return { type: 'choice', options: node.options.map(reversed) };
    case 'repeat':
      return { ...node, node: reversed(node.node) };
    default:
      return node;
  }
}
