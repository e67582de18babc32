import type { Operator } from '../../access/operator.ts';
import { Fault } from '../../faults/fault.ts';

/** Throws 404 if the operator may not see the stack: that it exists is no business of others. */
export function requireSight({ stackId }: Operator, wanted: string): void {
  if (stackId === undefined || stackId === wanted) return;
  throw noStack(wanted);
}

/** The refusal of a stack that is not there. */
export function noStack(id: string): Fault {
  return new Fault('admin-object-not-found', `There is no stack "${id.slice(0, 63)}".`);
}

/** The stack whose things the operator asks for, or may see at all; `undefined`: those of all stacks. */
export function seenStack(operator: Operator, query: URLSearchParams): string | undefined {
  const asked = query.get('stack') ?? undefined;
  if (asked !== undefined) requireSight(operator, asked);
  return asked ?? operator.stackId;
}

/** Throws 403 if the operator may not change stacks. */
export function requireOperator({ role, name }: Operator): void {
  if (role === 'operator') return;
  throw new Fault('operator-refused', `"${name}" is a member of a stack: it may change the keys of it only.`);
}

/** Throws 403 unless the operator has all stacks. */
export function requireAllStacks({ stackId, name }: Operator): void {
  if (stackId === undefined) return;
  throw new Fault('operator-refused', `"${name}" has stack "${stackId}" only.`);
}

/** Throws 403 if an API key was pasted that may not list the documents of its stack. */
export function requireKnowledge({ pastedKey, name }: Operator): void {
  if (pastedKey === undefined || pastedKey.knowledge !== undefined) return;
  throw new Fault('operator-refused', `"${name}" may not list the documents of its stack.`);
}

/** Throws 403 if an API key was pasted: the audit tells who works with the gateway. */
export function refusePastedKey({ pastedKey, name }: Operator): void {
  if (pastedKey === undefined) return;
  throw new Fault('operator-refused', `"${name}" is an API key: the audit is for operators and members.`);
}
