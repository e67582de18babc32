import type pg from 'pg';
import type { SearchIndexes } from './search-indexes.ts';
import { removeGone, type SearchMoves } from './search-moves.ts';
import { areSearchTablesThere } from './search-tables.ts';
import type { Sweeper } from './sweep-schedule.ts';

export interface SearchKeeperParts {
  readonly pool: pg.Pool;
  /** Absent where the gateway searches in another way: what is gone is removed all the same. */
  readonly filling?: {
    readonly moves: SearchMoves;
    readonly indexes: SearchIndexes;
    /** Called when all documents are in the tables. */
    readonly onSettled: () => Promise<void>;
  };
}

/** Keeps the tables of the search complete and free of what is gone. Several processes may do it at once. */
export class SearchKeeper implements Sweeper {
  readonly #parts: SearchKeeperParts;

  constructor(parts: SearchKeeperParts) {
    this.#parts = parts;
  }

  async sweep(signal: AbortSignal): Promise<object | undefined> {
    const { pool, filling } = this.#parts;
    if (!(await areSearchTablesThere(pool))) return undefined;
    const moved = (await filling?.moves.moveAll(signal)) ?? 0;
    const removed = await removeGone(pool, signal);
    const indexed = (await filling?.indexes.tend(signal)) ?? 0;
    if (moved + indexed === 0) await filling?.onSettled();
    return moved + removed + indexed > 0 ? { moved, removed, indexed } : undefined;
  }
}
