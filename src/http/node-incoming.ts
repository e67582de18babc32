import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../access/caller.ts';
import type { BodyMemory, HeldMemory } from './body-memory.ts';
import type { BodyHolder, Incoming, RememberedKey, SizedRule } from './incoming.ts';
import type { LargeJson } from './large-json.ts';
import { type BodyTimeouts, readBody, type TurnOfBody } from './request-body.ts';
import type { UploadSpool } from './upload-spool.ts';

/** A request as it came in, before anything is known about it. */
export interface Arrival {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly params: Readonly<Record<string, string>>;
  /** The client's address, as far as proxies are trusted. */
  readonly address: string;
}

/** The parts that read bodies. */
export interface BodyParts {
  readonly timeouts: BodyTimeouts;
  readonly bodyMemory: BodyMemory;
  readonly spool: UploadSpool;
  readonly largeJson: Pick<LargeJson, 'parse'>;
}

/** A request of Node's server. */
export class NodeIncoming implements Incoming {
  readonly method: string | undefined;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly params: Readonly<Record<string, string>>;
  readonly address: string;
  readonly key: RememberedKey = { hash: undefined };
  readonly #arrival: Arrival;
  readonly #parts: BodyParts & Pick<TurnOfBody, 'turns'>;

  constructor(arrival: Arrival, parts: BodyParts & Pick<TurnOfBody, 'turns'>) {
    const { request, params, address } = arrival;
    this.method = request.method;
    this.url = request.url ?? '';
    this.headers = request.headers;
    this.params = params;
    this.address = address;
    this.#arrival = arrival;
    this.#parts = parts;
  }

  openMemory(stackId: string): HeldMemory {
    return this.#parts.bodyMemory.open(stackId);
  }

  body(rule: SizedRule, caller: Caller | undefined, holder: BodyHolder): Promise<unknown> {
    const { timeouts, spool, largeJson, turns } = this.#parts;
    const stackId = caller?.stack.id ?? '';
    const memory = this.openMemory(stackId);
    holder.keep(memory);
    return readBody(this.#arrival, rule, {
      plan: caller?.plan,
      timeouts,
      turns,
      stackId,
      spool,
      memory,
      digest: holder.digest,
      parseApart: (bytes, options) => {
        const scan = rule.kind === 'json' && caller ? rule.scanApart?.(caller) : undefined;
        const work = { stackId, signal: holder.signal, memory };
        return largeJson.parse(bytes, { ...options, scan }, work);
      },
    });
  }
}
