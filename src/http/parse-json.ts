import { isAscii, isUtf8 } from 'node:buffer';
import { Fault } from '../faults/fault.ts';
import { parseExactJson } from '../lib/exact-json.ts';
import { type JsonStructure, JsonStructureMeter } from '../lib/json-structure.ts';

/** JSON nested deeper than this is refused: everything after the parser may recurse. */
export const MAX_JSON_DEPTH = 200;
/** JSON with more values than this is refused: parsing more would hold the event loop too long. */
export const MAX_JSON_VALUES = 250_000;

export interface JsonOptions {
  /** Whether integers beyond 2^53 keep all their digits. */
  readonly exactIntegers: boolean;
}

/** Parses a body; throws a fault if it is not JSON or has too much structure. */
export function parseJson(bytes: Buffer, { exactIntegers }: JsonOptions): unknown {
  measureJson(bytes);
  return parseMeasured(bytes, { exactIntegers });
}

/** Throws a fault if the JSON is too deep or has too many values. */
export function measureJson(bytes: Buffer): void {
  const meter = new JsonStructureMeter();
  meter.add(bytes);
  const fault = structureFault(meter.structure);
  if (fault !== undefined) throw fault;
}

/** Parses a body that `measureJson` has accepted. */
export function parseMeasured(bytes: Buffer, { exactIntegers }: JsonOptions): unknown {
  const text = textOf(bytes);
  const parse = exactIntegers ? parseExactJson : JSON.parse;
  try {
    return parse(text);
  } catch (error) {
    throw new Fault('json-malformed', `The body is not valid JSON${positionOf(error)}.`);
  }
}

/** The fault of JSON that is too deep or has too many values. */
export function structureFault({ depth, values }: JsonStructure): Fault | undefined {
  if (depth > MAX_JSON_DEPTH) {
    return new Fault('json-too-deep', `The JSON body nests deeper than ${MAX_JSON_DEPTH} levels.`);
  }
  if (values > MAX_JSON_VALUES) {
    return new Fault('json-too-complex', `The JSON body holds more than ${MAX_JSON_VALUES} values.`);
  }
  return undefined;
}

function textOf(bytes: Buffer): string {
  // Latin-1 is copied, not decoded: a quarter of a millisecond less for 400 KB.
  if (isAscii(bytes)) return bytes.toString('latin1');
  if (!isUtf8(bytes)) throw new Fault('json-malformed', 'The body is not valid UTF-8.');
  return bytes.toString('utf8');
}

// V8's message quotes the body; only the position is passed on.
function positionOf(error: unknown): string {
  const position = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
  return position === undefined ? '' : ` (at position ${position})`;
}
