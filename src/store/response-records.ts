import type pg from 'pg';
import { z } from 'zod';
import { findRow, queryRows, wholeNumber } from './query.ts';
import { joined, type Sql, sql } from './sql.ts';

/** A row of `responses` without its contents. */
export const responseRow = z.object({
  id: z.string(),
  accountId: z.string(),
  stackId: z.string(),
  keyId: z.string(),
  model: z.string(),
  status: z.string(),
  background: z.boolean(),
  previousId: z.string().nullable(),
  conversationId: z.string().nullable(),
  sizeBytes: wholeNumber,
  createdAt: z.date(),
  expiresAt: z.date(),
});

/** A stored response, as operators list it. */
export type ResponseRecord = Readonly<z.infer<typeof responseRow>>;

export interface ResponseQuery {
  readonly stackId: string;
  readonly keyId?: string;
  readonly createdFrom?: Date;
  readonly createdBefore?: Date;
  readonly limit: number;
}

/** Stored responses of a stack, newest first. */
export function listResponseRecords(pool: pg.Pool, query: ResponseQuery): Promise<readonly ResponseRecord[]> {
  return queryRows(
    pool,
    responseRow,
    sql`select ${RECORD} from responses where ${joined([...conditionsOf(query), IS_THERE], ' and ')}
      order by created_at desc, id desc limit ${query.limit}`,
  );
}

export interface ResponsesAnywhere {
  readonly stackId?: string | undefined;
  /** The last response of the page before. */
  readonly after?: { readonly createdAt: string; readonly id: string } | undefined;
  readonly limit: number;
}

/** Stored responses of all stacks or one, newest first. */
export function listResponsesAnywhere(
  pool: pg.Pool,
  { stackId, after, limit }: ResponsesAnywhere,
): Promise<readonly ResponseRecord[]> {
  const conditions = [
    IS_THERE,
    ...(stackId === undefined ? [] : [sql`stack_id = ${stackId}`]),
    ...(after === undefined ? [] : [sql`(created_at, id) < (${after.createdAt}::timestamptz, ${after.id})`]),
  ];
  return queryRows(
    pool,
    responseRow,
    sql`select ${RECORD} from responses where ${joined(conditions, ' and ')}
      order by created_at desc, id desc limit ${limit}`,
  );
}

/** A stored response of any stack. */
export function findResponseRecord(pool: pg.Pool, id: string): Promise<ResponseRecord | undefined> {
  return findRow(pool, responseRow, sql`select ${RECORD} from responses where id = ${id} and ${IS_THERE}`);
}

const RECORD = sql`id, account_id, stack_id, key_id, model, status, background, previous_id, conversation_id, size_bytes,
  created_at, expires_at`;
const IS_THERE = sql`expires_at > now()`;

function conditionsOf({ stackId, keyId, createdFrom, createdBefore }: ResponseQuery): readonly Sql[] {
  return [
    sql`stack_id = ${stackId}`,
    ...(keyId === undefined ? [] : [sql`key_id = ${keyId}`]),
    ...(createdFrom === undefined ? [] : [sql`created_at >= ${createdFrom}`]),
    ...(createdBefore === undefined ? [] : [sql`created_at < ${createdBefore}`]),
  ];
}
