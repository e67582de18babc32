import { Fault } from '../faults/fault.ts';
import { JsonStructureMeter } from '../lib/json-structure.ts';
import type { BodySink } from './body-sink.ts';
import { type JsonOptions, parseJson, parseMeasured, structureFault } from './parse-json.ts';

/** Larger bodies are parsed on another thread: on the main one nobody else would be served meanwhile. */
export const LARGE_JSON_BYTES = 1024 * 1024;
/** Larger ones are measured while they arrive, and refused where they get too much. */
const MAXIMUM_SCANNED_BYTES = 2 * 1024 * 1024;

export interface JsonSinkOptions extends JsonOptions {
  /** A cheaper way to read the body that knows only some bodies; `undefined` where it is not one of them. */
  readonly scan?: ((bytes: Buffer) => unknown) | undefined;
  /** Parses large bodies somewhere else; the bytes are no longer there afterwards. */
  readonly parseApart: (bytes: Buffer, options: JsonOptions) => Promise<unknown>;
}

/** What a whole body means: scanned, parsed here, or parsed on another thread. */
export function readJson(bytes: Buffer, { scan, exactIntegers, parseApart }: JsonSinkOptions): unknown {
  const scanned = scan?.(bytes);
  if (scanned !== undefined) return scanned;
  if (bytes.length > LARGE_JSON_BYTES) return parseApart(bytes, { exactIntegers });
  return parseJson(bytes, { exactIntegers });
}

/** Collects a body and parses it as JSON. */
export class JsonSink implements BodySink {
  readonly #chunks: Buffer[] = [];
  readonly #meter = new JsonStructureMeter();
  readonly #options: JsonSinkOptions;
  #sizeBytes = 0;
  #measuredChunks = 0;

  constructor(options: JsonSinkOptions) {
    this.#options = options;
  }

  add(chunk: Buffer): Fault | undefined {
    this.#chunks.push(chunk);
    this.#sizeBytes += chunk.length;
    const mayBeScanned = this.#options.scan !== undefined && this.#sizeBytes <= MAXIMUM_SCANNED_BYTES;
    return mayBeScanned ? undefined : this.#measure();
  }

  /** What is wrong with the structure of the bytes so far. */
  #measure(): Fault | undefined {
    for (const chunk of this.#chunks.slice(this.#measuredChunks)) this.#meter.add(chunk);
    this.#measuredChunks = this.#chunks.length;
    return structureFault(this.#meter.structure);
  }

  finish(): unknown {
    const [first] = this.#chunks;
    const bytes = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    if (bytes.length === 0) {
      throw new Fault('json-malformed', 'The body is empty; a JSON object was expected.');
    }
    const { parseApart, exactIntegers } = this.#options;
    if (this.#measuredChunks === 0) return readJson(bytes, this.#options);
    if (bytes.length > LARGE_JSON_BYTES) return parseApart(bytes, { exactIntegers });
    return parseMeasured(bytes, { exactIntegers });
  }

  drop(): void {
    this.#chunks.length = 0;
  }
}
