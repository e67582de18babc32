import { Fault } from '../faults/fault.ts';
import type { FaultCode } from '../faults/fault-table.ts';

const REFUSALS: ReadonlySet<FaultCode> = new Set<FaultCode>([
  'token-budget-exceeded',
  'budget-exceeded',
  'key-read-only',
]);

/** Whether a request may not pay for what it needs: to do it in another way, or without it, would not help. */
export function isRefusedPayment(error: unknown): boolean {
  return error instanceof Fault && REFUSALS.has(error.code);
}
