import { Fault } from '../faults/fault.ts';
import { freeMemory } from '../lib/free-memory.ts';
import { JsonStructureMeter } from '../lib/json-structure.ts';
import type { BodySink } from './body-sink.ts';
import { type JsonOptions, parseJson, parseMeasured, structureFault } from './parse-json.ts';

/** Larger bodies are parsed on another thread, because parsing blocks all other requests. */
export const LARGE_JSON_BYTES = 1024 * 1024;
/** Larger bodies are measured while they arrive, refused once they exceed a bound, and scanned on that thread. */
export const MAXIMUM_SCANNED_BYTES = 2 * 1024 * 1024;

export interface JsonSinkOptions extends JsonOptions {
  /** The request's Content-Length, if it has one. */
  readonly declaredBytes?: number;
  /** Reads usual bodies without parsing them; returns `undefined` for all others. */
  readonly scan?: ((bytes: Buffer) => unknown) | undefined;
  /** Parses large bodies on another thread. The bytes move there. */
  readonly parseApart: (bytes: Buffer, options: ApartOptions) => Promise<unknown>;
}

export interface ApartOptions extends JsonOptions {
  /** Whether depth and number of values were already checked. */
  readonly isMeasured: boolean;
}

/** Scans a complete body, or parses it here or on another thread. */
export function readJson(bytes: Buffer, { scan, exactIntegers, parseApart }: JsonSinkOptions): unknown {
  const scanned = scan?.(bytes);
  if (scanned !== undefined) return scanned;
  if (bytes.length > LARGE_JSON_BYTES) return parseApart(bytes, { exactIntegers, isMeasured: false });
  return parseJson(bytes, { exactIntegers });
}

/** Collects a body and parses it as JSON. */
export class JsonSink implements BodySink {
  readonly #chunks: Buffer[] = [];
  readonly #meter = new JsonStructureMeter();
  readonly #options: JsonSinkOptions;
  /** The buffer that a large body is copied to while it arrives: a copy at the end would block other requests. */
  #whole: Buffer | undefined;
  #sizeBytes = 0;
  #measuredChunks = 0;

  constructor(options: JsonSinkOptions) {
    this.#options = options;
  }

  add(chunk: Buffer): Fault | undefined {
    const placed = this.#placed(chunk);
    this.#chunks.push(placed);
    this.#sizeBytes += placed.length;
    const mayBeScanned = this.#options.scan !== undefined && this.#sizeBytes <= MAXIMUM_SCANNED_BYTES;
    return mayBeScanned ? undefined : this.#measure();
  }

  /** Moves the chunk to its position in a large body. */
  #placed(chunk: Buffer): Buffer {
    const { declaredBytes = 0 } = this.#options;
    const end = this.#sizeBytes + chunk.length;
    if (declaredBytes <= LARGE_JSON_BYTES || end > declaredBytes) return chunk;
    this.#whole ??= Buffer.allocUnsafeSlow(declaredBytes);
    chunk.copy(this.#whole, this.#sizeBytes);
    freeMemory(chunk);
    return this.#whole.subarray(this.#sizeBytes, end);
  }

  #bytes(): Buffer {
    if (this.#whole?.length === this.#sizeBytes) return this.#whole;
    const [first] = this.#chunks;
    if (first !== undefined && this.#chunks.length === 1) return first;
    const joined = Buffer.concat(this.#chunks);
    this.#freeChunks();
    return joined;
  }

  #freeChunks(): void {
    for (const chunk of this.#chunks.splice(0)) freeMemory(chunk);
  }

  /** Measures the new chunks; returns the fault of the structure so far. */
  #measure(): Fault | undefined {
    for (const chunk of this.#chunks.slice(this.#measuredChunks)) this.#meter.add(chunk);
    this.#measuredChunks = this.#chunks.length;
    return structureFault(this.#meter.structure);
  }

  finish(): unknown {
    const bytes = this.#bytes();
    if (bytes.length === 0) {
      throw new Fault('json-malformed', 'The body is empty; a JSON object was expected.');
    }
    const { parseApart, exactIntegers } = this.#options;
    if (this.#measuredChunks === 0) return readJson(bytes, this.#options);
    if (bytes.length > LARGE_JSON_BYTES) return parseApart(bytes, { exactIntegers, isMeasured: true });
    return parseMeasured(bytes, { exactIntegers });
  }

  drop(): void {
    this.#freeChunks();
    if (this.#whole !== undefined) freeMemory(this.#whole);
    this.#whole = undefined;
  }
}
