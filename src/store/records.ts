import type pg from 'pg';
import { AccountRecords } from './account-records.ts';
import { KeyRecords } from './key-records.ts';
import { type Connection, execute } from './query.ts';
import { sql } from './sql.ts';
import { StackRecords } from './stack-records.ts';
import { inTransaction } from './transaction.ts';

/** The rows an operator works with. */
export interface Records {
  readonly stacks: StackRecords;
  readonly keys: KeyRecords;
  readonly accounts: AccountRecords;
  readonly connection: Connection;
}

/** Runs work on the records in one transaction, one such transaction at a time over all processes. */
export function changeRecords<Result>(
  pool: pg.Pool,
  work: (records: Records) => Promise<Result>,
): Promise<Result> {
  return inTransaction(pool, async (client) => {
    await execute(client, sql`select pg_advisory_xact_lock(${CHANGES_LOCK_ID})`);
    return work(readRecords(client));
  });
}

/** The records for reading. */
export function readRecords(connection: Connection): Records {
  return {
    stacks: new StackRecords(connection),
    keys: new KeyRecords(connection),
    accounts: new AccountRecords(connection),
    connection,
  };
}

const CHANGES_LOCK_ID = 7_205_760;
