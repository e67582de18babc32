import { hash } from 'node:crypto';
import { z } from 'zod';
import type { Operator } from '../access/operator.ts';
import { type Connection, execute, findRow, queryRows, wholeNumber } from './query.ts';
import { joined, type Sql, sql } from './sql.ts';

/** A row of `audit`. */
export const auditRow = z.object({
  sequence: wholeNumber,
  at: z.date(),
  actor: z.string(),
  door: z.enum(['cli', 'token', 'console', 'file']),
  address: z.string().nullable(),
  action: z.string(),
  target: z.string(),
  stackId: z.string().nullable(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  hash: z.string(),
});

/** An action of an operator, as it is stored. */
export type AuditRecord = Readonly<z.infer<typeof auditRow>>;

/** An action of an operator. Neither view may have a secret or a prompt in it. */
export interface AuditedAction {
  /** A noun and a verb: `key.create`. */
  readonly action: string;
  /** Such as `shop/web`. */
  readonly target: string;
  /** The stack that it concerns; absent: the gateway as a whole. */
  readonly stackId?: string;
  readonly before?: object;
  readonly after?: object;
}

/**
 * Adds a row to the audit, in the transaction of the change. Call it last: from then on other writers wait for the end of the
 * transaction.
 */
export async function recordAudit(
  connection: Connection,
  operator: Operator,
  { action, target, stackId, before, after }: AuditedAction,
): Promise<void> {
  const { name, door, address } = operator;
  await execute(
    connection,
    sql`select append_audit(${name}, ${door}, ${address ?? null}, ${action}, ${target}, ${stackId ?? null},
      ${textOf(before)}, ${textOf(after)})`,
  );
}

export interface AuditQuery {
  readonly limit: number;
  /** Rows before this one only. */
  readonly before?: number | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly stackId?: string | undefined;
}

/** Rows, newest first. */
export function listAudit(connection: Connection, query: AuditQuery): Promise<readonly AuditRecord[]> {
  const { limit, before, actor, action, stackId } = query;
  const conditions: readonly Sql[] = [
    sql`true`,
    ...(before === undefined ? [] : [sql`sequence < ${before}`]),
    ...(actor === undefined ? [] : [sql`actor = ${actor}`]),
    ...(action === undefined ? [] : [sql`action = ${action}`]),
    ...(stackId === undefined ? [] : [sql`stack_id = ${stackId}`]),
  ];
  return queryRows(
    connection,
    auditRow,
    sql`select * from audit where ${joined(conditions, ' and ')} order by sequence desc limit ${limit}`,
  );
}

/** The last row, which names the whole chain by its hash. */
export function findAuditHead(connection: Connection): Promise<AuditRecord | undefined> {
  return findRow(connection, auditRow, sql`select * from audit order by sequence desc limit 1`);
}

const PAGE = 500;

/** All rows, oldest first. */
export async function* readAudit(connection: Connection): AsyncGenerator<AuditRecord> {
  for (let last = 0; ; ) {
    const rows = await queryRows(
      connection,
      auditRow,
      sql`select * from audit where sequence > ${last} order by sequence limit ${PAGE}`,
    );
    yield* rows;
    last = rows.at(-1)?.sequence ?? 0;
    if (rows.length < PAGE) return;
  }
}

/** The hash that a row must have after the row with the previous one; the same as `audit_hash` in the database. */
export function auditHash(previous: string, row: Omit<AuditRecord, 'hash'>): string {
  const fields = [
    previous,
    String(row.sequence),
    String(row.at.getTime()),
    row.actor,
    row.door,
    row.address,
    row.action,
    row.target,
    row.stackId,
    row.before,
    row.after,
  ];
  const text = fields.map((field) => (field === null ? '-' : `${Buffer.byteLength(field)}:${field}`));
  return hash('sha256', text.join(''), 'hex');
}

function textOf(view: object | undefined): string | null {
  // PostgreSQL stores no NUL; JSON writes it as an escape.
  return view === undefined ? null : JSON.stringify(view);
}
