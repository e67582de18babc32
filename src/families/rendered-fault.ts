import type { Fault } from '../faults/fault.ts';
import { faultRow } from '../faults/fault-table.ts';
import type { Family } from './family.ts';

/** A fault as an HTTP response. */
export interface RenderedFault {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Renders a fault for a family. */
export function renderFault(fault: Fault, family: Family, requestId: string): RenderedFault {
  const headers: Record<string, string> = { 'content-type': 'application/json', ...fault.headers };
  if (fault.status === 401) headers['www-authenticate'] = 'Bearer';
  if (fault.retryAfterSeconds !== undefined) headers['retry-after'] = String(fault.retryAfterSeconds);
  if (faultRow(fault.code).shouldRetry === false) headers['x-should-retry'] = 'false';
  return { status: fault.status, headers, body: JSON.stringify(family.faultBody(fault, requestId)) };
}
