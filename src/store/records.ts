import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { KeyRecords } from './key-records.ts';
import { StackRecords } from './stack-records.ts';
import { inTransaction } from './transaction.ts';

/** The rows an operator works with. */
export interface Records {
  readonly stacks: StackRecords;
  readonly keys: KeyRecords;
}

/** Runs work on the records in one transaction, one such transaction at a time over all processes. */
export function changeRecords<Result>(
  pool: pg.Pool,
  work: (records: Records) => Promise<Result>,
): Promise<Result> {
  return inTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [CHANGES_LOCK_ID]);
    return work(recordsOn(drizzle(client)));
  });
}

/** The records for reading. */
export function readRecords(pool: pg.Pool): Records {
  return recordsOn(drizzle(pool));
}

const CHANGES_LOCK_ID = 7_205_760;

function recordsOn(database: NodePgDatabase): Records {
  return { stacks: new StackRecords(database), keys: new KeyRecords(database) };
}
