import { Fault } from '../faults/fault.ts';
import { ByteSlabs, joined } from '../lib/byte-slabs.ts';
import { freeMemory } from '../lib/free-memory.ts';
import { JsonStructureMeter } from '../lib/json-structure.ts';
import { ParkedBytes } from '../lib/parked-bytes.ts';
import type { BodySink } from './body-sink.ts';
import { type JsonOptions, parseJson, parseMeasured, structureFault } from './parse-json.ts';

/** Larger bodies are parsed on another thread, because parsing blocks all other requests. */
export const LARGE_JSON_BYTES = 1024 * 1024;
/** Larger bodies are measured while they arrive, refused once they exceed a bound, and scanned on that thread. */
export const MAXIMUM_SCANNED_BYTES = 2 * 1024 * 1024;
/** JSON full of escapes takes ten to twenty milliseconds for each MiB where it is parsed. */
const PARSED_COST_PER_BYTE = 8;

export interface JsonSinkOptions extends JsonOptions {
  /** Reads usual bodies without parsing them; returns `undefined` for all others. */
  readonly scan?: ((bytes: Buffer) => unknown) | undefined;
  /** Parses large bodies on another thread. The bytes move there; those that were parked are freed in every case. */
  readonly parseApart: (bytes: Buffer | ParkedBytes, options: ApartOptions) => Promise<unknown>;
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
  readonly #slabs = new ByteSlabs();
  readonly #meter = new JsonStructureMeter();
  readonly #options: JsonSinkOptions;
  /** Smaller bodies are scanned before they are measured. */
  readonly #measuredFromBytes: number;
  /** The first part of a body that is certainly read on the other thread. */
  #parked: ParkedBytes | undefined;
  #isMeasured = false;
  #sizeBytes = 0;

  constructor(options: JsonSinkOptions) {
    this.#options = options;
    this.#measuredFromBytes = options.scan === undefined ? 0 : MAXIMUM_SCANNED_BYTES;
  }

  get costPerByte(): number {
    const isParsedHere = this.#options.scan === undefined && this.#parked === undefined;
    return isParsedHere ? PARSED_COST_PER_BYTE : 1;
  }

  add(chunk: Buffer): Fault | undefined {
    this.#sizeBytes += chunk.length;
    if (this.#sizeBytes > this.#measuredFromBytes) this.#measure(chunk);
    this.#slabs.add(chunk);
    if (this.#isMeasured && this.#sizeBytes > LARGE_JSON_BYTES) this.#park(this.#slabs.takeFull());
    return structureFault(this.#meter.structure);
  }

  #measure(chunk: Buffer): void {
    if (!this.#isMeasured) for (const piece of this.#slabs.pieces) this.#meter.add(piece);
    this.#isMeasured = true;
    this.#meter.add(chunk);
  }

  #park(pieces: readonly Buffer[]): ParkedBytes {
    this.#parked ??= new ParkedBytes();
    for (const piece of pieces) this.#parked.add(piece);
    return this.#parked;
  }

  finish(): unknown {
    const { parseApart, exactIntegers } = this.#options;
    const last = this.#slabs.takeAll();
    if (this.#parked !== undefined) {
      return parseApart(this.#park(last), { exactIntegers, isMeasured: true });
    }
    const bytes = joined(last);
    if (bytes.length === 0) {
      throw new Fault('json-malformed', 'The body is empty; a JSON object was expected.');
    }
    return this.#isMeasured ? parseMeasured(bytes, { exactIntegers }) : readJson(bytes, this.#options);
  }

  drop(): void {
    for (const piece of this.#slabs.takeAll()) freeMemory(piece);
    this.#parked?.free();
  }
}
