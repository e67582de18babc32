import type pg from 'pg';
import { type AuditRecord, auditHash, readAudit } from '../store/audit-trail.ts';

/** A row of the audit for people and programs. */
export function auditView(row: AuditRecord) {
  return {
    sequence: row.sequence,
    at: row.at,
    actor: row.actor,
    door: row.door,
    address: row.address,
    action: row.action,
    target: row.target,
    stack: row.stackId,
    before: parsed(row.before),
    after: parsed(row.after),
    hash: row.hash,
  };
}

/** A state of the audit that was noted down elsewhere. */
export interface NotedState {
  readonly sequence: number;
  readonly hash: string;
}

/** The result of checking the chain. */
export interface AuditVerdict {
  readonly rows: number;
  /** The hash of the last row; empty without rows. */
  readonly head: string;
  /** The reason why the chain is not whole; absent if it is. */
  readonly problem?: string;
}

/**
 * Checks every hash. Rows that were removed from the end leave a shorter chain that is whole; a state noted down before that
 * shows it.
 */
export async function verifyAudit(pool: pg.Pool, noted?: NotedState): Promise<AuditVerdict> {
  let rows = 0;
  let head = '';
  for await (const row of readAudit(pool)) {
    const problem = problemOf(row, rows + 1, head, noted);
    if (problem !== undefined) return { rows, head, problem };
    rows++;
    head = row.hash;
  }
  if (noted !== undefined && noted.sequence > rows)
    return { rows, head, problem: `row ${noted.sequence} is gone: the audit ends with row ${rows}` };
  return { rows, head };
}

function problemOf(
  row: AuditRecord,
  expected: number,
  previous: string,
  noted: NotedState | undefined,
): string | undefined {
  if (row.sequence !== expected) return `row ${expected} is gone`;
  if (auditHash(previous, row) !== row.hash) return `row ${row.sequence} was changed`;
  if (noted?.sequence === row.sequence && noted.hash !== row.hash)
    return `row ${row.sequence} is not the one that was noted: the audit was written again`;
  return undefined;
}

function parsed(text: string | null): unknown {
  return text === null ? null : JSON.parse(text);
}
