import type { Caller } from '../access/caller.ts';
import type { BodyMemory, HeldMemory } from '../http/body-memory.ts';
import type { BodyHolder, Incoming, RememberedKey, SizedRule } from '../http/incoming.ts';
import { readJson } from '../http/json-sink.ts';
import type { LargeJson } from '../http/large-json.ts';
import type { HotHead } from './hot-head.ts';

export interface FastRequestParts {
  readonly head: HotHead;
  /** Valid until the request is answered. */
  readonly bytes: Buffer;
  readonly address: string;
  readonly largeJson: Pick<LargeJson, 'parse'>;
  readonly bodyMemory: BodyMemory;
}

const NO_PARAMETERS: Readonly<Record<string, string>> = {};

/** A request of the fast path; its body has arrived completely. */
export class FastRequest implements Incoming {
  readonly method = 'POST';
  readonly params = NO_PARAMETERS;
  readonly address: string;
  readonly #parts: FastRequestParts;

  constructor(parts: FastRequestParts) {
    this.#parts = parts;
    this.address = parts.address;
  }

  get url(): string {
    return this.#parts.head.path;
  }

  get headers(): HotHead['headers'] {
    return this.#parts.head.headers;
  }

  get key(): RememberedKey {
    return this.#parts.head.key;
  }

  openMemory(stackId: string): HeldMemory {
    return this.#parts.bodyMemory.open(stackId);
  }

  body(rule: SizedRule, caller: Caller, holder: BodyHolder): unknown {
    if (rule.kind !== 'json') throw new Error('the fast path takes JSON only');
    const { bytes, largeJson } = this.#parts;
    return readJson(bytes, {
      exactIntegers: rule.exactIntegers ?? false,
      scan: rule.scan,
      parseApart: (large, options) => {
        const stackId = caller.stack.id;
        const memory = this.openMemory(stackId);
        holder.keep(memory);
        const work = { stackId, signal: holder.signal, memory };
        return largeJson.parse(large, { ...options, scan: rule.scanApart?.(caller) }, work);
      },
    });
  }
}
