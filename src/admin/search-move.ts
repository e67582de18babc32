import type pg from 'pg';
import type { SearchIndexes } from '../store/search-indexes.ts';
import type { MoveProgress, SearchMoves } from '../store/search-moves.ts';
import { createSearchTables, dropSearchTables, PgvectorMissing } from '../store/search-tables.ts';
import { OperatorError } from './operator-error.ts';

/** Where the indexes of the knowledge base can be. */
export type SearchKind = 'embedded' | 'postgres';

export interface SearchMoveParts {
  readonly moves: SearchMoves;
  readonly indexes: SearchIndexes;
}

/** A step of a move. */
export type MoveStep = MoveProgress | 'indexes';

/**
 * Brings all documents into the tables of the search, and builds their indexes. It can be interrupted: what is done stays done.
 * Returns how many documents were moved.
 */
export async function moveToPostgres(
  pool: pg.Pool,
  { moves, indexes }: SearchMoveParts,
  { signal, report }: { readonly signal: AbortSignal; readonly report: (step: MoveStep) => void },
): Promise<number> {
  await openSearchTables(pool);
  report(await moves.progress());
  const moved = await moves.moveAll(signal, report);
  report('indexes');
  await indexes.tend(signal);
  return moved;
}

/** Removes the tables of the search: the embedded kind reads the documents, and builds its indexes from them. */
export async function moveToEmbedded(pool: pg.Pool): Promise<void> {
  await dropSearchTables(pool);
}

/** Makes the tables of the search; says what to do where it cannot. */
export async function openSearchTables(pool: pg.Pool): Promise<void> {
  try {
    await createSearchTables(pool);
  } catch (error) {
    if (!(error instanceof PgvectorMissing)) throw error;
    throw new OperatorError(
      `the knowledge base cannot be searched in PostgreSQL: ${error.message}. ${error.remedy}`,
    );
  }
}
