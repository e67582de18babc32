import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../access/caller.ts';
import { Fault } from '../faults/fault.ts';
import type { Form } from '../lib/form.ts';
import type { BodySink } from './body-sink.ts';
import { emptyForm, FormSink } from './form-sink.ts';
import { JsonSink } from './json-sink.ts';
import type { BodyRule } from './route.ts';

type SizedRule = Exclude<BodyRule, { kind: 'none' }>;

export interface BodyTimeouts {
  /** The longest silence while a body arrives. */
  readonly bodyIdleMs: number;
  /** How long the rest may take once the request is answered. */
  readonly lingerMs: number;
}

/** Reads a request's body as its route's rule says: cap first, then type, then content. */
export async function readBody(
  exchange: { readonly request: IncomingMessage; readonly response: ServerResponse },
  rule: SizedRule,
  plan: Caller['plan'],
  timeouts: BodyTimeouts,
): Promise<unknown> {
  const { request, response } = exchange;
  const cap = { bytes: rule.cap(plan.limits), plan: plan.name };
  checkDeclaredLength(request, cap, rule);
  checkEncoding(request);
  const sink = rule.kind === 'json' ? openJson(request, rule) : openForm(request);
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
  return await collect(request, { cap, rule, sink, timeouts });
}

interface Cap {
  readonly bytes: number;
  readonly plan: string;
}

function checkDeclaredLength(request: IncomingMessage, cap: Cap, rule: SizedRule): void {
  if (Number(request.headers['content-length'] ?? 0) > cap.bytes) throw tooLarge(cap, rule);
}

function checkEncoding({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'];
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return;
  throw new Fault('content-type-unsupported', 'The body is compressed; send it without Content-Encoding.');
}

function openJson(request: IncomingMessage, rule: Extract<SizedRule, { kind: 'json' }>): BodySink {
  const type = typeOf(request);
  if (type === 'application/json')
    return new JsonSink({ exactIntegers: rule.exactIntegers ?? false, scan: rule.scan });
  const fault = wrongType('application/json', type);
  if (type !== 'multipart/form-data' || rule.refuseForm === undefined) throw fault;
  return misledForm(request, fault, rule.refuseForm);
}

function openForm(request: IncomingMessage): BodySink {
  const type = typeOf(request);
  if (type === 'multipart/form-data' || type === 'application/x-www-form-urlencoded') {
    return new FormSink(request.headers['content-type'] ?? '');
  }
  const { headers } = request;
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  if (!isEmpty) throw wrongType('multipart/form-data', type);
  return { add: () => undefined, finish: () => emptyForm };
}

/** A form on a JSON route is read only to say what is wrong with it; one that cannot be read is of the wrong type. */
function misledForm(
  { headers }: IncomingMessage,
  wrong: Fault,
  refuse: (form: Form) => Fault | undefined,
): BodySink {
  let sink: FormSink;
  try {
    sink = new FormSink(headers['content-type'] ?? '');
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

interface Collecting {
  readonly cap: Cap;
  readonly rule: SizedRule;
  readonly sink: BodySink;
  readonly timeouts: BodyTimeouts;
}

function collect(request: IncomingMessage, { cap, rule, sink, timeouts }: Collecting): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let sizeBytes = 0;
    const end = () => {
      clearTimeout(silence);
      request.off('data', take).off('end', finish).off('close', cut).off('error', cut);
    };
    const fail = (fault: Fault) => {
      end();
      sink.drop?.();
      reject(fault);
    };
    const silence = setTimeout(() => fail(tooSlow()), timeouts.bodyIdleMs);
    const take = (chunk: Buffer) => {
      silence.refresh();
      sizeBytes += chunk.length;
      const fault = sizeBytes > cap.bytes ? tooLarge(cap, rule) : sink.add(chunk);
      if (fault !== undefined) fail(fault);
    };
    const finish = () => {
      end();
      try {
        resolve(sink.finish());
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

// A connection on which the rest may still come one day is of no use to anybody.
function tooSlow(): Fault {
  return new Fault('request-timeout', 'The body of the request stopped arriving.', {
    headers: { connection: 'close' },
  });
}

function tooLarge({ bytes, plan }: Cap, rule: SizedRule): Fault {
  return new Fault(
    rule.tooLarge,
    `The body is over the ${bytes} bytes that this route takes (plan ${plan}).`,
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
