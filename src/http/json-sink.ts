import { Fault } from '../faults/fault.ts';
import type { BodySink } from './body-sink.ts';
import { type JsonOptions, parseJson } from './parse-json.ts';

/** Larger bodies are parsed on another thread: on the main one nobody else would be served meanwhile. */
export const LARGE_JSON_BYTES = 1024 * 1024;
/** Larger ones are not worth a look whether they can be passed on as they are. */
const MAXIMUM_SCANNED_BYTES = 2 * 1024 * 1024;

export interface JsonSinkOptions extends JsonOptions {
  /** A cheaper way to read the body that knows only some bodies; `undefined` where it is not one of them. */
  readonly scan?: ((bytes: Buffer) => unknown) | undefined;
  /** Parses large bodies somewhere else; the bytes are no longer there afterwards. */
  readonly parseApart: (bytes: Buffer, options: JsonOptions) => Promise<unknown>;
}

/** Collects a body and parses it as JSON. */
export class JsonSink implements BodySink {
  readonly #chunks: Buffer[] = [];
  readonly #options: JsonSinkOptions;

  constructor(options: JsonSinkOptions) {
    this.#options = options;
  }

  add(chunk: Buffer): undefined {
    this.#chunks.push(chunk);
  }

  finish(): unknown {
    const [first] = this.#chunks;
    const bytes = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    if (bytes.length === 0) {
      throw new Fault('json-malformed', 'The body is empty; a JSON object was expected.');
    }
    const { scan, parseApart, exactIntegers } = this.#options;
    const scanned = bytes.length <= MAXIMUM_SCANNED_BYTES ? scan?.(bytes) : undefined;
    if (scanned !== undefined) return scanned;
    const isLarge = bytes.length > LARGE_JSON_BYTES;
    return isLarge ? parseApart(bytes, { exactIntegers }) : parseJson(bytes, { exactIntegers });
  }

  drop(): void {
    this.#chunks.length = 0;
  }
}
