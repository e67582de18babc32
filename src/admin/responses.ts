import type pg from 'pg';
import type { ErasureTarget } from '../store/erasure-target.ts';
import { ResponseEraser, type ResponseErasure } from '../store/response-eraser.ts';
import { findResponseRecord, type ResponseRecord } from '../store/response-records.ts';
import { SqlResponses } from '../store/sql-responses.ts';
import type { KeptItem } from '../text/responses/response-store.ts';
import type { ResponseObject } from '../text/wire/responses/response-object.ts';
import { OperatorError } from './operator-error.ts';
import type { OperatorStorage } from './operator-storage.ts';

/** A stored response with its contents. */
export interface ShownResponse {
  readonly record: ResponseRecord;
  readonly input: readonly KeptItem[];
  readonly response: ResponseObject;
}

/** Everything that is stored of a response of any stack. */
export async function showResponse(id: string, { pool, blobs }: OperatorStorage): Promise<ShownResponse> {
  const record = await requireResponse(pool, id);
  const store = new SqlResponses({ pool, blobs, retentionDays: 0 });
  const [response, input] = await Promise.all([
    store.find(record.stackId, id),
    store.findInput(record.stackId, id),
  ]);
  if (response === undefined || input === undefined) throw unknownResponse(id);
  return { record, response, input };
}

/** A stored response of any stack, without its contents. */
export async function requireResponse(pool: pg.Pool, id: string): Promise<ResponseRecord> {
  const record = await findResponseRecord(pool, id);
  if (record === undefined) throw unknownResponse(id);
  return record;
}

/** Erases responses and conversations, and records the erasure. */
export async function eraseResponses(
  target: ErasureTarget,
  { pool, blobs, operator, signal }: OperatorStorage,
): Promise<ResponseErasure> {
  if (target.scope === 'one') await requireResponse(pool, target.id);
  return await new ResponseEraser({ pool, blobs, operator }).erase(target, signal);
}

function unknownResponse(id: string): OperatorError {
  return new OperatorError(`there is no response "${id}"; "stackgate responses list <stack>" shows them`);
}
