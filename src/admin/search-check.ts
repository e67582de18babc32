import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { PgvectorMissing, requirePgvector } from '../store/search-tables.ts';
import type { Finding } from './finding.ts';

const CHECK = 'knowledge search';

/** Whether the database can search the knowledge base, where the configuration has it do so. */
export async function checkSearch(
  { engines }: Config,
  withDatabase: <Result>(work: (pool: pg.Pool) => Promise<Result>) => Promise<Result>,
): Promise<readonly Finding[]> {
  if (engines.search.kind !== 'postgres') return [];
  try {
    const version = await withDatabase((pool) => requirePgvector(pool));
    return [{ check: CHECK, result: 'ok', message: `PostgreSQL with pgvector ${version}` }];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const remedy =
      error instanceof PgvectorMissing ? error.remedy : 'Correct what is said of the database above.';
    return [{ check: CHECK, result: 'failure', message, remedy }];
  }
}
