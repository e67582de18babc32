import type { CanonicalJson } from '../../lib/canonical-json.ts';

/** A list of tools that was walked over before. */
interface KnownList {
  /** As it came, with its brackets. */
  readonly source: Buffer;
  /** The items as they are sent. */
  readonly items: Buffer;
  /** What the walk over it weighed. */
  readonly weight: number;
}

const MAXIMUM_LISTS = 4;
const MAXIMUM_BYTES = 512 * 1024;

/**
 * Remembers the last lists of tools, for agents send the same with every request: comparing bytes is many times cheaper than
 * walking over schemas. A list ends where its bracket closes, so equal bytes are the whole list wherever they stand.
 */
export class KnownTools {
  /** The one that was used last comes first. */
  #lists: readonly KnownList[] = [];
  readonly #walk: (json: CanonicalJson) => Buffer;

  /** The walk moves past a list, and gives its items as they are sent. */
  constructor(walk: (json: CanonicalJson) => Buffer) {
    this.#walk = walk;
  }

  /** Moves past a list, as the walk does. */
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
    // The bytes of a request are there only until it is answered.
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
