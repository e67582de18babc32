import { rm } from 'node:fs/promises';
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import type { EmbeddingsEngine } from '../knowledge/embeddings-engine.ts';
import type { KnowledgeSearch } from '../knowledge/knowledge-search.ts';
import { DatabaseSearch } from '../knowledge/search/database-search.ts';
import { HybridSearch } from '../knowledge/search/hybrid-search.ts';
import { indexFolder, indexMaker } from '../knowledge/search/index-files.ts';
import { IndexSweeper } from '../knowledge/search/index-sweeper.ts';
import { PassageRowMaker } from '../knowledge/search/passage-row-maker.ts';
import { ReopenedSearch } from '../knowledge/search/reopened-search.ts';
import type { SearchWriter } from '../knowledge/search-writer.ts';
import { systemClock } from '../lib/clock.ts';
import { wallClock } from '../lib/wall-clock.ts';
import { SearchFiller } from '../store/search-filler.ts';
import { SearchIndexes } from '../store/search-indexes.ts';
import { SearchKeeper } from '../store/search-keeper.ts';
import { SearchMoves } from '../store/search-moves.ts';
import { SqlChunkSource } from '../store/sql-chunk-source.ts';
import { SqlPassageFinder } from '../store/sql-passage-finder.ts';
import { SweepSchedule } from '../store/sweep-schedule.ts';
import type { Log } from '../telemetry/log.ts';

/** How long an index file may contain a removed document while its stack is not searched. */
const INDEX_SWEEP_MS = 5 * 60_000;
/** How soon documents are looked for that another process indexed without the tables of the search. */
const KEEP_MS = 60_000;
/** Of the embedded kind, while it answers for stacks that are moved to the other one. */
const MEMORY_WHILE_MOVING_BYTES = 1_073_741_824;

export interface SearchPartOptions {
  readonly config: Config;
  readonly log: Log;
  readonly pool: pg.Pool;
  readonly embeddings: EmbeddingsEngine;
  readonly onEmbeddingsFailure: (error: unknown) => void;
}

/** The search of the configured kind, with what keeps its indexes. */
export class SearchParts {
  readonly search: KnowledgeSearch;
  /** Absent where the search builds its indexes itself. */
  readonly writer: SearchWriter | undefined;
  readonly #embedded: ReopenedSearch;
  readonly #rows = new PassageRowMaker();
  readonly #sweeps: readonly SweepSchedule[];

  constructor(options: SearchPartOptions) {
    const { config, log, pool, embeddings, onEmbeddingsFailure } = options;
    const { search: engine } = config.engines;
    const source = new SqlChunkSource(pool);
    const folder = indexFolder(config.dataDir);
    const isEmbedded = engine.kind === 'embedded';
    this.#embedded = new ReopenedSearch(
      () =>
        new HybridSearch({
          source,
          embeddings,
          onEmbeddingsFailure,
          memoryBytes: isEmbedded ? engine.memoryBytes : MEMORY_WHILE_MOVING_BYTES,
          files: { folder, isReadOnly: false },
          observe: (event) => {
            if (event.type === 'child-line') log.warn({ line: event.line }, 'knowledge search');
          },
        }),
    );
    const filler = new SearchFiller(pool, (batch, work) => this.#rows.rows(batch, work));
    this.writer = isEmbedded ? undefined : filler;
    this.search = isEmbedded
      ? this.#embedded
      : new DatabaseSearch({
          finder: new SqlPassageFinder(pool),
          meanwhile: this.#embedded,
          embeddings,
          onEmbeddingsFailure,
        });
    const filling = {
      moves: new SearchMoves(pool, filler, embeddings.model),
      indexes: new SearchIndexes(pool),
      onSettled: () => this.#forgetEmbedded(folder),
    };
    const kept = { clock: systemClock, log, firstMs: 0 };
    this.#sweeps = [
      new SweepSchedule({
        ...kept,
        what: 'index files',
        sweeper: new IndexSweeper({ folder, maker: indexMaker(embeddings.model), source, clock: wallClock }),
        everyMs: INDEX_SWEEP_MS,
      }),
      new SweepSchedule({
        ...kept,
        what: 'tables of the search',
        sweeper: new SearchKeeper({ pool, ...(!isEmbedded && { filling }) }),
        everyMs: KEEP_MS,
      }),
    ];
  }

  start(): void {
    for (const sweep of this.#sweeps) sweep.start();
  }

  async stop(signal: AbortSignal): Promise<void> {
    for (const sweep of this.#sweeps) await sweep.stop();
    await Promise.all([this.#rows.stop(signal), this.#embedded.stop(signal)]);
  }

  /** When all is in the database, nothing stays in this process or on its disk. */
  async #forgetEmbedded(folder: string): Promise<void> {
    await this.#embedded.stop(AbortSignal.timeout(INDEX_SWEEP_MS));
    await rm(folder, { recursive: true, force: true });
  }
}
