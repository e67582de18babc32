import { type Dfa, EMPTY_LANGUAGE, type Transition } from './dfa.ts';

/** The minimal automaton of exactly these texts. */
export function literalDfa(texts: readonly string[]): Dfa {
  if (texts.length === 0) return EMPTY_LANGUAGE;
  const automaton = new LiteralAutomaton();
  return { start: automaton.add(texts), transitions: automaton.transitions, accepting: automaton.accepting };
}

/** Without surrogates, JavaScript's string order is code point order. */
const SURROGATE = /[\ud800-\udfff]/;

function codePoints(text: string): readonly number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

function compare(left: readonly number[], right: readonly number[]): number {
  const index = commonLength(left, right);
  return (left[index] ?? -1) - (right[index] ?? -1);
}

function commonLength(left: readonly number[], right: readonly number[]): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return length;
}

/** A state of the latest text, which may still get transitions. */
interface OpenState {
  readonly steps: Transition[];
  isEnd: boolean;
}

/** An automaton of several lists of texts, which share the states of common suffixes. */
export class LiteralAutomaton {
  readonly transitions: (readonly Transition[])[] = [];
  readonly accepting: boolean[] = [];
  readonly #known = new Map<string, number>();
  #open: OpenState[] = [];
  #latest: readonly number[] = [];

  /** Adds a list; returns the state from which exactly these texts are accepted. */
  add(texts: readonly string[]): number {
    const root: OpenState = { steps: [], isEnd: false };
    this.#open = [root];
    this.#latest = [];
    const sorted = texts.some((text) => SURROGATE.test(text))
      ? texts.map(codePoints).sort(compare)
      : texts.toSorted().map(codePoints);
    for (const text of sorted) this.#addNext(text);
    this.#close(0);
    return this.#stateOf(root);
  }

  /**
   * Daciuk's algorithm: texts are added in order, so the states that the latest text does not share with the next are complete.
   * Each is replaced by a known equivalent state or becomes a new one.
   */
  #addNext(text: readonly number[]): void {
    this.#close(commonLength(this.#latest, text));
    while (this.#open.length <= text.length) this.#open.push({ steps: [], isEnd: false });
    const last = this.#open.at(-1);
    if (last) last.isEnd = true;
    this.#latest = text;
  }

  /** Completes the states beyond this length. */
  #close(length: number): void {
    while (this.#open.length > length + 1) {
      const complete = this.#open.pop();
      const codePoint = this.#latest[this.#open.length - 1] ?? 0;
      if (!complete) return;
      this.#open.at(-1)?.steps.push({ low: codePoint, high: codePoint, target: this.#stateOf(complete) });
    }
  }

  #stateOf({ steps, isEnd }: OpenState): number {
    let key = isEnd ? 'end' : '';
    for (const { low, target } of steps) key += ` ${low} ${target}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.accepting.push(isEnd);
    const state = this.transitions.push(steps) - 1;
    this.#known.set(key, state);
    return state;
  }
}
