import type { AuditedAction } from './audit-trail.ts';
import { type Sql, sql } from './sql.ts';

/** The things to erase: one, or all of a key, a stack or an account. */
export type ErasureTarget =
  | { readonly scope: 'one'; readonly id: string }
  | { readonly scope: 'key'; readonly stackId: string; readonly keyId: string }
  | { readonly scope: 'stack'; readonly stackId: string }
  | { readonly scope: 'account'; readonly accountId: string };

/** Names a target in the record of its erasure. */
export function subjectOf(target: ErasureTarget): string {
  switch (target.scope) {
    case 'one':
      return target.id;
    case 'key':
      return `${target.stackId}/${target.keyId}`;
    case 'stack':
      return target.stackId;
    case 'account':
      return target.accountId;
  }
}

/** The target of an erasure, for the audit. */
export function auditedTarget(target: ErasureTarget): Pick<AuditedAction, 'target' | 'stackId'> {
  return { target: subjectOf(target), ...('stackId' in target && { stackId: target.stackId }) };
}

/** Selects the rows of a target. */
export function conditionOf(target: ErasureTarget): Sql {
  switch (target.scope) {
    case 'one':
      return sql`id = ${target.id}`;
    case 'key':
      return sql`stack_id = ${target.stackId} and key_id = ${target.keyId}`;
    case 'stack':
      return sql`stack_id = ${target.stackId}`;
    case 'account':
      return sql`account_id = ${target.accountId}`;
  }
}
