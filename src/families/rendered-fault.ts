import type { Fault } from '../faults/fault.ts';
import { faultRow } from '../faults/fault-table.ts';
import type { Family } from './family.ts';

/** A fault as an HTTP response. */
export interface RenderedFault {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The ids by which a request is found in the log and in traces. */
export interface RequestIds {
  readonly requestId: string;
  readonly traceId?: string | undefined;
}

/** Renders a fault for a family. */
export function renderFault(fault: Fault, family: Family, { requestId, traceId }: RequestIds): RenderedFault {
  const headers: Record<string, string> = { 'content-type': 'application/json', ...fault.headers };
  if (fault.status === 401) headers['www-authenticate'] = 'Bearer';
  if (fault.retryAfterSeconds !== undefined) headers['retry-after'] = String(fault.retryAfterSeconds);
  if (faultRow(fault.code).shouldRetry === false) headers['x-should-retry'] = 'false';
  const body = family.faultBody(fault, requestId);
  // A message of JSON-RPC has no place for it.
  if (traceId === undefined || 'jsonrpc' in body)
    return { status: fault.status, headers, body: JSON.stringify(body) };
  headers['x-trace-id'] = traceId;
  return { status: fault.status, headers, body: JSON.stringify({ ...body, trace_id: traceId }) };
}
