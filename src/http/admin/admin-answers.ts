import { hash } from 'node:crypto';
import { z } from 'zod';
import { OperatorError } from '../../admin/operator-error.ts';
import { Fault } from '../../faults/fault.ts';
import type { FaultCode } from '../../faults/fault-table.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import type { OperatorRequest } from '../route.ts';

/** The name of a state of an object. */
export const etagSchema = z.string().describe('Names this state of the object; send it as `If-Match`.');

/** The name of a state: of everything that an operator can change of the object. */
export function etagOf(state: unknown): string {
  return `"${hash('sha256', JSON.stringify(state), 'hex').slice(0, 24)}"`;
}

/** One object with its `ETag`. */
export function objectAnswer<Rendered extends { readonly etag: string }>(
  object: Rendered,
  status = 200,
): Answer {
  return { ...jsonAnswer(object), status, headers: { etag: object.etag, 'cache-control': 'no-store' } };
}

/** A check of `If-Match` against the state in the database; `undefined` if the request has no such header. */
export function matching<Record>(
  request: Pick<OperatorRequest, 'header'>,
  etag: (record: Record) => string,
): ((record: Record) => void) | undefined {
  const wanted = request.header('if-match');
  if (wanted === undefined || wanted.trim() === '*') return undefined;
  const names = wanted.split(',').map((name) => name.trim());
  return (record) => {
    if (names.includes(etag(record))) return;
    throw new OperatorError('the object was changed since you read it: read it again', { kind: 'stale' });
  };
}

const codes = {
  missing: 'admin-object-not-found',
  conflict: 'admin-conflict',
  stale: 'etag-stale',
  refused: 'invalid-request',
} as const satisfies Record<OperatorError['kind'], FaultCode>;

/** Runs work of `admin/`; its refusals become faults. */
export async function refusing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    throw new Fault(codes[error.kind], sentence(error.plainMessage));
  }
}

/** Messages of `admin/` are written for the middle of a line. */
function sentence(message: string): string {
  const ended = /[.?!]$/.test(message) ? message : `${message}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}
