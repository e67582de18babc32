import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PlanLimits } from '../access/plan-limits.ts';
import { Fault } from '../faults/fault.ts';
import { JsonStructureMeter } from '../lib/json-structure.ts';
import type { BodyRule } from './route.ts';

/** JSON nested deeper than this is refused: everything after the parser may recurse. */
export const MAX_JSON_DEPTH = 200;
/** JSON with more values than this is refused: parsing more would hold the event loop too long. */
export const MAX_JSON_VALUES = 250_000;

type SizedRule = Exclude<BodyRule, { kind: 'none' }>;

export interface BodyTimeouts {
  /** The longest silence while a body arrives. */
  readonly bodyIdleMs: number;
}

/** Reads a request's body as its route's rule says: cap first, then type, then content. */
export async function readBody(
  exchange: { readonly request: IncomingMessage; readonly response: ServerResponse },
  rule: SizedRule,
  limits: PlanLimits,
  timeouts: BodyTimeouts,
): Promise<unknown> {
  const { request, response } = exchange;
  const capBytes = rule.cap(limits);
  checkDeclaredLength(request, capBytes, rule);
  checkContentType(request, rule);
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
  const meter = rule.kind === 'json' ? new JsonStructureMeter() : undefined;
  const bytes = await collect(request, { capBytes, rule, meter, timeouts });
  return rule.kind === 'json' ? parseJson(bytes) : bytes;
}

function checkDeclaredLength(request: IncomingMessage, capBytes: number, rule: SizedRule): void {
  if (Number(request.headers['content-length'] ?? 0) > capBytes) throw tooLarge(capBytes, rule);
}

function checkContentType(request: IncomingMessage, rule: SizedRule): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Fault('content-type-unsupported', 'The body is compressed; send it without Content-Encoding.');
  }
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (rule.kind === 'json') {
    if (type === 'application/json') return;
    throw new Fault(
      'content-type-unsupported',
      `This route takes Content-Type: application/json, got ${describeType(type)}.`,
    );
  }
  const isEmpty =
    request.headers['transfer-encoding'] === undefined &&
    Number(request.headers['content-length'] ?? 0) === 0;
  if (type === 'multipart/form-data' || type === 'application/x-www-form-urlencoded' || isEmpty) return;
  throw new Fault(
    'content-type-unsupported',
    `This route takes Content-Type: multipart/form-data, got ${describeType(type)}.`,
  );
}

interface Collecting {
  readonly capBytes: number;
  readonly rule: SizedRule;
  readonly meter: JsonStructureMeter | undefined;
  readonly timeouts: BodyTimeouts;
}

function collect(request: IncomingMessage, { capBytes, rule, meter, timeouts }: Collecting): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    const end = (settle: () => void) => {
      clearTimeout(silence);
      request.off('data', take).off('end', finish).off('close', cut).off('error', cut);
      settle();
    };
    const silence = setTimeout(() => end(() => reject(tooSlow())), timeouts.bodyIdleMs);
    const take = (chunk: Buffer) => {
      silence.refresh();
      sizeBytes += chunk.length;
      if (sizeBytes > capBytes) return end(() => reject(tooLarge(capBytes, rule)));
      chunks.push(chunk);
      meter?.add(chunk);
      const fault = meter && structureFault(meter);
      if (fault) end(() => reject(fault));
    };
    const finish = () =>
      end(() => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    const cut = () =>
      end(() =>
        reject(new Fault('request-malformed', 'The connection closed before the body was complete.')),
      );
    if (request.destroyed) cut();
    else request.on('data', take).on('end', finish).on('close', cut).on('error', cut);
  });
}

function structureFault(meter: JsonStructureMeter): Fault | undefined {
  const { depth, values } = meter.structure;
  if (depth > MAX_JSON_DEPTH) {
    return new Fault('json-too-deep', `The JSON body nests deeper than ${MAX_JSON_DEPTH} levels.`);
  }
  if (values > MAX_JSON_VALUES) {
    return new Fault('json-too-complex', `The JSON body holds more than ${MAX_JSON_VALUES} values.`);
  }
  return undefined;
}

function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new Fault('json-malformed', 'The body is empty; a JSON object was expected.');
  if (!isUtf8(bytes)) throw new Fault('json-malformed', 'The body is not valid UTF-8.');
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new Fault('json-malformed', `The body is not valid JSON${positionOf(error)}.`);
  }
}

// V8's message quotes the text around the mistake; only its position goes back.
function positionOf(error: unknown): string {
  const position = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
  return position === undefined ? '' : ` (at position ${position})`;
}

// A connection on which the rest may still come one day is of no use to anybody.
function tooSlow(): Fault {
  return new Fault('request-timeout', 'The body of the request stopped arriving.', {
    headers: { connection: 'close' },
  });
}

function tooLarge(capBytes: number, rule: SizedRule): Fault {
  return new Fault(rule.tooLarge, `The body is over the ${capBytes} bytes that this route takes.`);
}

function describeType(type: string | undefined): string {
  if (type === undefined || type === '') return 'none';
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) && type.length <= 60 ? type : 'something else';
}
