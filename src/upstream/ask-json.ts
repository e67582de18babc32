import { Fault } from '../faults/fault.ts';
import { parseJson } from '../lib/json-record.ts';
import { BodyBuffer } from './body-buffer.ts';
import { faultOfStatus, unusable } from './engine-faults.ts';
import type { ResponseHead } from './response-head.ts';
import type { ResponseHandler, UpstreamRequest } from './upstream-call.ts';
import type { UpstreamPool } from './upstream-pool.ts';

/** A request with a single JSON response. */
export interface JsonQuestion {
  readonly pool: UpstreamPool;
  readonly request: UpstreamRequest;
  readonly redact: (text: string) => string;
  /** Of the body; 16 MiB by default. */
  readonly maximumBytes?: number;
}

// The ids of 200,000 tokens are 1.5 MB of JSON.
const MAXIMUM_BODY_BYTES = 16 * 1024 * 1024;

/** Resolves with the parsed body of a 200; everything else is a fault. */
export function askJson(question: JsonQuestion, signal: AbortSignal): Promise<unknown> {
  const { pool, request, redact, maximumBytes = MAXIMUM_BODY_BYTES } = question;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = () => {
      call.abort();
      reject(signal.reason);
    };
    const done = (settle: () => void) => {
      signal.removeEventListener('abort', abort);
      settle();
    };
    const collector = new JsonCollector({
      redact,
      maximumBytes,
      succeed: (body) => done(() => resolve(body)),
      fail: (fault) => done(() => reject(fault)),
    });
    const call = pool.send(request, collector);
    signal.addEventListener('abort', abort);
  });
}

interface CollectorOptions {
  readonly maximumBytes: number;
  readonly redact: (text: string) => string;
  readonly succeed: (body: unknown) => void;
  readonly fail: (fault: Fault) => void;
}

class JsonCollector implements ResponseHandler {
  readonly #options: CollectorOptions;
  readonly #body: BodyBuffer;
  #head: ResponseHead | undefined;

  constructor(options: CollectorOptions) {
    this.#options = options;
    this.#body = new BodyBuffer(options.maximumBytes);
  }

  onHead(head: ResponseHead): void {
    this.#head = head;
    if (typeof head.framing === 'number') this.#body.expect(head.framing);
  }

  onBytes(bytes: Buffer): void {
    this.#body.add(bytes);
  }

  onEnd(): void {
    try {
      this.#options.succeed(this.#read());
    } catch (error) {
      this.#options.fail(error instanceof Fault ? error : unusable(error));
    }
  }

  onFailure(fault: Fault): void {
    this.#options.fail(fault);
  }

  #read(): unknown {
    const text = this.#body.whole().toString();
    if (this.#head?.status !== 200) {
      throw faultOfStatus(
        this.#head ?? { status: 0, retryAfterSeconds: undefined },
        this.#options.redact(text),
      );
    }
    if (this.#body.isOverfull) throw new Error('the body is too large');
    return parseJson(text);
  }
}
