import type { CanonicalJson } from '../../lib/canonical-json.ts';

/** A list of tools that was scanned before. */
interface KnownList {
  /** The original bytes, with brackets. */
  readonly source: Buffer;
  /** The items as they are sent. */
  readonly items: Buffer;
  /** The weight of the scan. */
  readonly weight: number;
}

const MAXIMUM_LISTS = 4;
const MAXIMUM_BYTES = 512 * 1024;

/**
 * Remembers the last lists of tools, since agents repeat them with every request: comparing bytes is many times cheaper than
 * scanning schemas. A list ends at its closing bracket, so equal bytes are always the whole list.
 */
export class KnownTools {
  /** Most recently used first. */
  #lists: readonly KnownList[] = [];
  readonly #walk: (json: CanonicalJson) => Buffer;

  /** `walk` moves past a list and returns its items as they are sent. */
  constructor(walk: (json: CanonicalJson) => Buffer) {
    this.#walk = walk;
  }

  /** Moves past a list and returns its items, like `walk`. */
  read(json: CanonicalJson): Buffer {
    const known = this.#lists.find(({ source }) => isNext(json, source));
    if (known === undefined) return this.#learn(json);
    json.weigh(known.weight);
    json.pass(known.source.length);
    this.#keep(known);
    return known.items;
  }

  #learn(json: CanonicalJson): Buffer {
    const from = json.at;
    const before = json.weight;
    const items = this.#walk(json);
    // Copied, since the bytes of a request are valid only until it is answered.
    if (json.at - from <= MAXIMUM_BYTES) {
      const source = Buffer.from(json.bytes.subarray(from, json.at));
      this.#keep({ source, items: Buffer.from(items), weight: json.weight - before });
    }
    return items;
  }

  #keep(list: KnownList): void {
    if (this.#lists[0] === list) return;
    this.#lists = [list, ...this.#lists.filter((other) => other !== list)].slice(0, MAXIMUM_LISTS);
  }
}

function isNext({ bytes, at }: CanonicalJson, source: Buffer): boolean {
  const end = at + source.length;
  return end <= bytes.length && bytes.compare(source, 0, source.length, at, end) === 0;
}
