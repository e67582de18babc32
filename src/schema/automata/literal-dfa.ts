import type { Dfa, Transition } from './dfa.ts';
import { minimise } from './minimise.ts';

/** Accepts exactly these texts: a trie, with equal endings shared. */
export function literalDfa(texts: readonly string[]): Dfa {
  const children: Map<number, number>[] = [new Map()];
  const accepting = [false];
  for (const text of texts) {
    let state = 0;
    for (const character of text) {
      const codePoint = character.codePointAt(0) ?? 0;
      const known = children[state]?.get(codePoint);
      const next = known ?? children.push(new Map()) - 1;
      if (known === undefined) accepting.push(false);
      children[state]?.set(codePoint, next);
      state = next;
    }
    accepting[state] = true;
  }
  return minimise({ start: 0, transitions: children.map(transitionsOf), accepting });
}

function transitionsOf(children: ReadonlyMap<number, number>): readonly Transition[] {
  return [...children]
    .sort(([a], [b]) => a - b)
    .map(([codePoint, target]) => ({ low: codePoint, high: codePoint, target }));
}
