import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../access/caller.ts';
import type { Arrival } from './arrival.ts';
import type { BodyMemory, HeldMemory } from './body-memory.ts';
import type { BodyHolder, Incoming, RememberedKey, SizedRule } from './incoming.ts';
import type { LargeJson } from './large-json.ts';
import { type BodyTimeouts, readBody } from './request-body.ts';
import type { UploadSpool } from './upload-spool.ts';

/** The parts that read bodies. */
export interface BodyParts {
  readonly timeouts: BodyTimeouts;
  readonly bodyMemory: BodyMemory;
  readonly spool: UploadSpool;
  readonly largeJson: Pick<LargeJson, 'parse'>;
}

/** A request of Node's server. */
export class NodeIncoming implements Incoming {
  readonly key: RememberedKey = { hash: undefined };
  readonly #arrival: Arrival;
  readonly #parts: BodyParts;

  constructor(arrival: Arrival, parts: BodyParts) {
    this.#arrival = arrival;
    this.#parts = parts;
  }

  get method(): string | undefined {
    return this.#arrival.request.method;
  }

  get url(): string {
    return this.#arrival.request.url ?? '';
  }

  get headers(): IncomingHttpHeaders {
    return this.#arrival.request.headers;
  }

  get params(): Readonly<Record<string, string>> {
    return this.#arrival.params;
  }

  get address(): string {
    return this.#arrival.address;
  }

  openMemory(stackId: string): HeldMemory {
    return this.#parts.bodyMemory.open(stackId);
  }

  body(rule: SizedRule, caller: Caller | undefined, holder: BodyHolder): Promise<unknown> {
    const { timeouts, spool, largeJson } = this.#parts;
    const stackId = caller?.stack.id ?? '';
    const memory = this.openMemory(stackId);
    holder.keep(memory);
    return readBody(this.#arrival, rule, {
      plan: caller?.plan,
      timeouts,
      spool,
      memory,
      digest: holder.digest,
      parseApart: (bytes, options) => {
        const format = rule.kind === 'json' && caller ? rule.formatApart?.(caller) : undefined;
        const work = { stackId, signal: holder.signal, memory };
        return largeJson.parse(bytes, { ...options, format }, work);
      },
    });
  }
}
