import type { GbnfGrammar, GbnfSymbol } from './gbnf-grammar.ts';

/** The state of a parse: a position in an alternative, and its continuation. */
interface Frame {
  readonly id: number;
  readonly alternative: readonly GbnfSymbol[];
  readonly index: number;
  /** How often the symbol at the index was matched. */
  readonly count: number;
  readonly next: Frame | undefined;
}

/** Whether a grammar generates a text, following all parses at once like llama.cpp. */
export class GbnfMatcher {
  readonly #grammar: GbnfGrammar;
  readonly #frames = new Map<string, Frame>();
  readonly #alternativeIds = new Map<readonly GbnfSymbol[], number>();
  /** The most parses open at once. */
  widest = 0;

  constructor(grammar: GbnfGrammar) {
    this.#grammar = grammar;
  }

  matches(text: string): boolean {
    this.#frames.clear();
    let open = this.#expand(
      (this.#grammar.get('root') ?? []).map((alternative) => this.#frame(alternative, 0, 0, undefined)),
    );
    for (const character of text) {
      const code = character.codePointAt(0) ?? 0;
      const read = open.frames.filter((frame) => accepts(frame, code));
      open = this.#expand(
        read.map((frame) => this.#frame(frame.alternative, frame.index + 1, 0, frame.next)),
      );
      this.widest = Math.max(this.widest, open.frames.length);
      if (open.frames.length === 0 && !open.isEnd) return false;
    }
    return open.isEnd;
  }

  /** Expands rules to the characters that may come next. */
  #expand(start: readonly (Frame | undefined)[]): {
    readonly frames: readonly Frame[];
    readonly isEnd: boolean;
  } {
    const seen = new Set(start);
    const frames: Frame[] = [];
    for (const frame of seen) {
      if (!frame) continue;
      const symbol = frame.alternative[frame.index];
      if (symbol?.type === 'set') frames.push(frame);
      else if (symbol) for (const next of this.#enter(frame, symbol)) seen.add(next);
    }
    return { frames, isEnd: seen.has(undefined) };
  }

  #enter(frame: Frame, symbol: Extract<GbnfSymbol, { type: 'rule' }>): readonly (Frame | undefined)[] {
    const { alternative, index, count, next } = frame;
    const after = this.#frame(alternative, index + 1, 0, next);
    if (count >= symbol.max) return [after];
    const again =
      count + 1 >= symbol.max ? after : this.#frame(alternative, index, Math.min(count + 1, 5_000), next);
    const inside = (this.#grammar.get(symbol.name) ?? []).map((inner) => this.#frame(inner, 0, 0, again));
    return count >= symbol.min ? [after, ...inside] : inside;
  }

  #frame(
    alternative: readonly GbnfSymbol[],
    index: number,
    count: number,
    next: Frame | undefined,
  ): Frame | undefined {
    if (index >= alternative.length) return next;
    const key = `${this.#alternativeId(alternative)} ${index} ${count} ${next?.id}`;
    const known = this.#frames.get(key);
    if (known) return known;
    const frame = { id: this.#frames.size, alternative, index, count, next };
    this.#frames.set(key, frame);
    return frame;
  }

  #alternativeId(alternative: readonly GbnfSymbol[]): number {
    const known = this.#alternativeIds.get(alternative);
    if (known !== undefined) return known;
    this.#alternativeIds.set(alternative, this.#alternativeIds.size);
    return this.#alternativeIds.size - 1;
  }
}

function accepts(frame: Frame, code: number): boolean {
  const symbol = frame.alternative[frame.index];
  return symbol?.type === 'set' && symbol.ranges.some(([low, high]) => low <= code && code <= high);
}
