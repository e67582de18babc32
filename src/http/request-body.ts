import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../access/caller.ts';
import { Fault } from '../faults/fault.ts';
import type { Form } from '../lib/form.ts';
import { ArrivingBytes } from './arriving-bytes.ts';
import { OPERATOR_CAP_BYTES } from './body-rules.ts';
import type { BodySink } from './body-sink.ts';
import { type BodyTurns, BYTES_PER_TURN } from './body-turns.ts';
import { emptyForm, type FormRoom, FormSink } from './form-sink.ts';
import type { SizedRule } from './incoming.ts';
import { JsonSink, type JsonSinkOptions } from './json-sink.ts';

export interface BodyTimeouts {
  /** The longest silence while a body arrives. */
  readonly bodyIdleMs: number;
  /** How long the rest may take after the request was answered. */
  readonly lingerMs: number;
}

/** Whose turn it is to read. */
export interface TurnOfBody {
  readonly turns: Pick<BodyTurns, 'take'>;
  readonly stackId: string;
}

/** The plan, limits and memory that a body is read with. */
export interface BodyReading extends FormRoom, TurnOfBody {
  /** Absent: an operator's body. */
  readonly plan: Caller['plan'] | undefined;
  readonly timeouts: BodyTimeouts;
  readonly parseApart: JsonSinkOptions['parseApart'];
}

/** Reads a request's body by the rule of its route. Checks the cap first, then the type, then the content. */
export async function readBody(
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  rule: SizedRule,
  reading: BodyReading,
): Promise<unknown> {
  const { plan, memory } = reading;
  const cap =
    plan === undefined
      ? { bytes: OPERATOR_CAP_BYTES, plan: undefined }
      : { bytes: rule.cap(plan.limits), plan: plan.name };
  if (declaredBytes(request) > cap.bytes) throw tooLarge(cap, rule);
  checkEncoding(request);
  const sink = openSink(request, rule, reading);
  // Others reserve memory as they arrive, for the parts that are not on the disk.
  const noRoom = rule.kind === 'json' ? memory.grow(declaredBytes(request)) : undefined;
  if (noRoom !== undefined) throw noRoom;
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
  // A form hashes its parts by itself.
  const digest = rule.kind === 'form' ? undefined : reading.digest;
  return await collect(request, { ...reading, cap, rule, sink, digest });
}

function openSink(request: IncomingMessage, rule: SizedRule, reading: BodyReading): BodySink {
  switch (rule.kind) {
    case 'json':
      return openJson(request, rule, reading);
    case 'form':
      return openForm(request, reading);
    case 'bytes':
      return new ArrivingBytes(reading);
  }
}

interface Cap {
  readonly bytes: number;
  readonly plan: string | undefined;
}

function declaredBytes({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

function isAbsent(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] === undefined && declaredBytes(request) === 0;
}

function checkEncoding({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'];
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return;
  throw new Fault('content-type-unsupported', 'The body is compressed; send it without Content-Encoding.');
}

function openJson(
  request: IncomingMessage,
  rule: Extract<SizedRule, { kind: 'json' }>,
  room: BodyReading,
): BodySink {
  if (rule.mayBeAbsent === true && isAbsent(request)) return { add: () => undefined, finish: () => ({}) };
  const type = typeOf(request);
  if (type === 'application/json')
    return new JsonSink({
      exactIntegers: rule.exactIntegers ?? false,
      scan: rule.scan,
      parseApart: room.parseApart,
    });
  const fault = wrongType('application/json', type);
  if (type !== 'multipart/form-data' || rule.refuseForm === undefined) throw fault;
  return misledForm(request, room, { wrong: fault, refuse: rule.refuseForm });
}

function openForm(request: IncomingMessage, room: FormRoom): BodySink {
  const type = typeOf(request);
  if (type === 'multipart/form-data' || type === 'application/x-www-form-urlencoded') {
    return new FormSink(request.headers['content-type'] ?? '', room);
  }
  if (!isAbsent(request)) throw wrongType('multipart/form-data', type);
  return { add: () => undefined, finish: () => emptyForm };
}

/** Reads a form on a JSON route to find a precise fault. A form that cannot be read is of the wrong type. */
function misledForm(
  { headers }: IncomingMessage,
  room: FormRoom,
  { wrong, refuse }: { readonly wrong: Fault; readonly refuse: (form: Form) => Fault | undefined },
): BodySink {
  let sink: FormSink;
  try {
    sink = new FormSink(headers['content-type'] ?? '', room);
  } catch {
    throw wrong;
  }
  return {
    add: (chunk) => (sink.add(chunk) === undefined ? undefined : wrong),
    finish: async () => {
      const form = await sink.finish().catch(() => emptyForm);
      throw refuse(form) ?? wrong;
    },
    drop: () => sink.drop(),
  };
}

interface Collecting extends TurnOfBody, Pick<BodyReading, 'memory' | 'timeouts' | 'digest'> {
  readonly cap: Cap;
  readonly rule: SizedRule;
  readonly sink: BodySink;
}

function collect(request: IncomingMessage, collecting: Collecting): Promise<unknown> {
  const { cap, rule, sink, memory, timeouts, turns, stackId, digest } = collecting;
  // Without a declared length, memory is reserved as the body grows.
  const growing = rule.kind === 'json' && request.headers['content-length'] === undefined;
  return new Promise((resolve, reject) => {
    let sizeBytes = 0;
    let turnBytes = 0;
    let isWaiting = false;
    const end = () => {
      clearTimeout(silence);
      request.off('data', take).off('end', finish).off('close', cut).off('error', cut);
      request.resume();
    };
    const fail = (fault: Fault) => {
      end();
      sink.drop?.();
      reject(fault);
    };
    // A body that waits for its turn is not silent.
    const silence = setTimeout(() => (isWaiting ? silence.refresh() : fail(tooSlow())), timeouts.bodyIdleMs);
    const take = (chunk: Buffer) => {
      silence.refresh();
      sizeBytes += chunk.length;
      turnBytes += chunk.length;
      digest?.add(chunk);
      const noRoom = growing ? memory.grow(chunk.length) : undefined;
      const fault = sizeBytes > cap.bytes ? tooLarge(cap, rule) : (noRoom ?? sink.add(chunk));
      if (fault !== undefined) fail(fault);
      else if (turnBytes >= BYTES_PER_TURN) yieldTurn();
    };
    const yieldTurn = () => {
      const cost = turnBytes * (sink.costPerByte ?? 1);
      turnBytes = 0;
      const takeTurn = () => turns.take(stackId, cost);
      const turn = sink.congestion?.then(takeTurn) ?? takeTurn();
      if (turn === undefined) return;
      isWaiting = true;
      request.pause();
      void turn.then(() => {
        isWaiting = false;
        silence.refresh();
        request.resume();
      });
    };
    const finish = () => {
      end();
      try {
        resolve(finished(sink));
      } catch (error) {
        reject(error);
      }
    };
    const cut = () =>
      fail(new Fault('request-malformed', 'The connection closed before the body was complete.'));
    if (request.destroyed) cut();
    else request.on('data', take).on('end', finish).on('close', cut).on('error', cut);
  });
}

/** Parses the collected body; discards its files if that fails. */
function finished(sink: BodySink): unknown {
  const meaning = sink.finish();
  if (!(meaning instanceof Promise)) return meaning;
  return meaning.catch((error: unknown) => {
    sink.drop?.();
    throw error;
  });
}

// The connection is closed: the rest of the body may still come, before the next request.
function tooSlow(): Fault {
  return new Fault('request-timeout', 'The body of the request stopped arriving.', {
    headers: { connection: 'close' },
  });
}

function tooLarge({ bytes, plan }: Cap, rule: SizedRule): Fault {
  return new Fault(
    rule.tooLarge,
    `The body is over the ${bytes} bytes that this route takes${plan === undefined ? '' : ` (plan ${plan})`}.`,
  );
}

function wrongType(wanted: string, got: string | undefined): Fault {
  return new Fault(
    'content-type-unsupported',
    `This route takes Content-Type: ${wanted}, got ${describeType(got)}.`,
  );
}

function typeOf({ headers }: IncomingMessage): string | undefined {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
}

function describeType(type: string | undefined): string {
  if (type === undefined || type === '') return 'none';
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) && type.length <= 60 ? type : 'something else';
}
