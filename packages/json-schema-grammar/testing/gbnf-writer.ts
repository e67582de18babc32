import type { GbnfGrammar, GbnfSymbol } from './gbnf-grammar.ts';

/** Writes random sentences of a grammar; after `freedom` choices it takes the shortest path to the end. */
export class GbnfWriter {
  readonly #grammar: GbnfGrammar;
  readonly #heights: ReadonlyMap<string, number>;

  constructor(grammar: GbnfGrammar) {
    this.#grammar = grammar;
    this.#heights = heightsOf(grammar);
  }

  /** `random` gives numbers from 0 up to 1. */
  write({ random, freedom }: { readonly random: () => number; readonly freedom: number }): string {
    let text = '';
    let left = freedom;
    const waiting: GbnfSymbol[] = [{ type: 'rule', name: 'root', min: 1, max: 1 }];
    for (let symbol = waiting.pop(); symbol; symbol = waiting.pop()) {
      if (symbol.type === 'set') {
        text += String.fromCodePoint(pickCharacter(symbol.ranges, random));
        continue;
      }
      left -= 1;
      const extra = left > 0 ? Math.floor(random() * Math.min(symbol.max - symbol.min + 1, 4)) : 0;
      const alternatives = this.#alternatives(symbol.name, left > 0);
      for (let count = symbol.min + extra; count > 0; count--) {
        const picked = alternatives[Math.floor(random() * alternatives.length)] ?? [];
        waiting.push(...[...picked].reverse());
      }
    }
    return text;
  }

  #alternatives(name: string, isFree: boolean): readonly (readonly GbnfSymbol[])[] {
    const all = this.#grammar.get(name) ?? [];
    if (isFree) return all;
    const lowest = Math.min(...all.map((alternative) => heightOf(alternative, this.#heights)));
    return all.filter((alternative) => heightOf(alternative, this.#heights) === lowest);
  }
}

function pickCharacter(ranges: readonly (readonly [number, number])[], random: () => number): number {
  const [low, high] = ranges[Math.floor(random() * ranges.length)] ?? [0x3f, 0x3f];
  return low + Math.floor(random() * (Math.min(high, low + 90) - low + 1));
}

function heightOf(alternative: readonly GbnfSymbol[], heights: ReadonlyMap<string, number>): number {
  const needed = alternative.filter((symbol) => symbol.type === 'rule' && symbol.min > 0);
  return Math.max(
    0,
    ...needed.map((symbol) => (symbol.type === 'rule' ? (heights.get(symbol.name) ?? Infinity) : 0)),
  );
}

/** The depth of the shallowest sentence of each rule. */
function heightsOf(grammar: GbnfGrammar): ReadonlyMap<string, number> {
  const heights = new Map<string, number>();
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const [name, alternatives] of grammar) {
      const height = 1 + Math.min(...alternatives.map((alternative) => heightOf(alternative, heights)));
      if (height < (heights.get(name) ?? Infinity)) {
        heights.set(name, height);
        isChanged = true;
      }
    }
  }
  return heights;
}
