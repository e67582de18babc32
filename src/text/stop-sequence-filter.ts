/** Passes text up to the first stop sequence, and holds back text that may be the start of one. */
export class StopSequenceFilter {
  readonly #sequences: readonly string[];
  #held = '';
  #found: string | undefined;
  #rest = '';

  constructor(sequences: readonly string[]) {
    this.#sequences = sequences.filter((sequence) => sequence !== '');
  }

  /** The stop sequence that ended the text, if any. */
  get found(): string | undefined {
    return this.#found;
  }

  /** Text after that sequence. */
  get rest(): string {
    return this.#rest;
  }

  /** Returns the text that can be shown now. */
  push(text: string): string {
    if (this.#found !== undefined) return '';
    if (this.#sequences.length === 0) return text;
    const whole = this.#held + text;
    const match = this.#firstMatch(whole);
    if (match !== undefined) {
      this.#found = match.sequence;
      this.#held = '';
      this.#rest = whole.slice(match.at + match.sequence.length);
      return whole.slice(0, match.at);
    }
    const safe = whole.length - this.#longestBeginning(whole);
    this.#held = whole.slice(safe);
    return whole.slice(0, safe);
  }

  /** Returns the text that is still held back, at the end of the answer. */
  flush(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }

  /** The sequence that is complete first, so that the result does not depend on how the text is split. */
  #firstMatch(text: string): { readonly sequence: string; readonly at: number } | undefined {
    return this.#sequences
      .map((sequence) => ({ sequence, at: text.indexOf(sequence) }))
      .filter(({ at }) => at !== -1)
      .sort((a, b) => a.at + a.sequence.length - (b.at + b.sequence.length) || a.at - b.at)[0];
  }

  #longestBeginning(text: string): number {
    return Math.max(...this.#sequences.map((sequence) => beginningAtEnd(text, sequence)));
  }
}

/** The number of characters at the end of the text that are the start of the sequence. */
function beginningAtEnd(text: string, sequence: string): number {
  for (let length = Math.min(text.length, sequence.length - 1); length > 0; length -= 1) {
    if (text.endsWith(sequence.slice(0, length))) return length;
  }
  return 0;
}
