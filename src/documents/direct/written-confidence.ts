import type { WrittenToken } from '../../text/text-event.ts';
import type { ConfidenceTree } from '../confidence.ts';

/** Deeper data has no probabilities. */
const MOST_DEPTH = 100;
const ROUNDED_TO = 10_000;

/**
 * The probability of each leaf of a JSON text: the product of those of the tokens it was written with, quotes included, since the
 * opening one decides against null and the closing one against a longer text. Undefined if the tokens are not those of the text.
 */
export function writtenConfidence(raw: string, tokens: readonly WrittenToken[]): ConfidenceTree | undefined {
  // One character per byte: tokens may split characters, and JSON's own signs are ASCII.
  const written = Buffer.concat(tokens.map(({ bytes }) => bytes)).toString('latin1');
  const text = Buffer.from(raw).toString('latin1');
  // Reasoning may stand before the text, and a token that ends the answer after it.
  const before = written.lastIndexOf(text);
  const start = text.indexOf('{');
  if (text === '' || before < 0 || start < 0) return undefined;
  const probability = tokenProbabilities(tokens);
  try {
    return new LeafReader(text, (from, to) => probability(before + from, before + to)).read(start);
  } catch (error) {
    if (error instanceof UnknownText) return undefined;
    throw error;
  }
}

/** The product of the probabilities of all tokens that have a byte in a range. */
function tokenProbabilities(tokens: readonly WrittenToken[]): (from: number, to: number) => number {
  const ends: number[] = [];
  const sums: number[] = [0];
  for (const { bytes, logProbability } of tokens) {
    ends.push((ends.at(-1) ?? 0) + bytes.length);
    sums.push((sums.at(-1) ?? 0) + Math.min(0, logProbability));
  }
  return (from, to) => {
    const first = firstAbove(ends, from);
    const last = firstAbove(ends, to - 1);
    const sum = (sums[last + 1] ?? sums.at(-1) ?? 0) - (sums[first] ?? 0);
    return Math.round(Math.exp(sum) * ROUNDED_TO) / ROUNDED_TO;
  };
}

/** The index of the first number above a value. */
function firstAbove(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

class UnknownText extends Error {}

const STRING = /"(?:[^"\\]|\\.)*"/y;
const SCALAR = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/y;
const SPACE = /[\s,:]*/y;

/** Reads the leaves of a JSON text with their places. The text was parsed before, so only its places matter. */
class LeafReader {
  readonly #text: string;
  readonly #probability: (from: number, to: number) => number;
  #at = 0;

  constructor(text: string, probability: (from: number, to: number) => number) {
    this.#text = text;
    this.#probability = probability;
  }

  read(start: number): ConfidenceTree {
    this.#at = start;
    return this.#value(0);
  }

  #value(depth: number): ConfidenceTree {
    if (depth > MOST_DEPTH) throw new UnknownText();
    if (this.#skips('{')) return this.#object(depth);
    if (this.#skips('[')) return this.#list(depth);
    const from = this.#at;
    this.#take(SCALAR);
    return this.#probability(from, this.#at);
  }

  #object(depth: number): ConfidenceTree {
    const members: [string, ConfidenceTree][] = [];
    while (!this.#skips('}')) {
      const name: unknown = JSON.parse(Buffer.from(this.#take(STRING), 'latin1').toString());
      this.#take(SPACE);
      members.push([String(name), this.#value(depth + 1)]);
      this.#take(SPACE);
    }
    return Object.fromEntries(members);
  }

  #list(depth: number): ConfidenceTree {
    const items: ConfidenceTree[] = [];
    while (!this.#skips(']')) {
      items.push(this.#value(depth + 1));
      this.#take(SPACE);
    }
    return items;
  }

  #skips(sign: string): boolean {
    this.#take(SPACE);
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    this.#take(SPACE);
    return true;
  }

  #take(pattern: RegExp): string {
    const sticky = new RegExp(pattern.source, 'y');
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#text)?.[0];
    if (found === undefined) throw new UnknownText();
    this.#at += found.length;
    return found;
  }
}
