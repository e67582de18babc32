import type { SearchMoveOptions, SearchOptions, StoppableMove } from '../cli/command-context.ts';
import type { Config } from '../config/config.ts';
import { DatabaseSearch } from '../knowledge/search/database-search.ts';
import { HybridSearch } from '../knowledge/search/hybrid-search.ts';
import { indexFolder } from '../knowledge/search/index-files.ts';
import { PassageRowMaker } from '../knowledge/search/passage-row-maker.ts';
import type { StoppableSearch } from '../knowledge/search/reopened-search.ts';
import { SearchFiller } from '../store/search-filler.ts';
import { SearchIndexes } from '../store/search-indexes.ts';
import { SearchMoves } from '../store/search-moves.ts';
import { SqlChunkSource } from '../store/sql-chunk-source.ts';
import { SqlPassageFinder } from '../store/sql-passage-finder.ts';
import { createLog } from '../telemetry/log.ts';
import { openEmbeddings } from './open-embeddings.ts';

/** A sleeping encoder takes some seconds to start. */
const PATIENCE_MS = 60_000;
/** A question from the command line loads one stack, whatever the server may hold. */
const MEMORY_BYTES = 1_073_741_824;

/** A knowledge search for a single question, with its own embeddings engine. */
export function openSearch({ config, pool, onEmbeddingsFailure }: SearchOptions): StoppableSearch {
  const embeddings = openEmbeddings(config.engines.embeddings, silentLog());
  const asking = {
    embeddings,
    onEmbeddingsFailure,
    embeddingPatience: { readyMs: PATIENCE_MS, wakingMs: PATIENCE_MS },
  };
  const embedded = new HybridSearch({
    ...asking,
    source: new SqlChunkSource(pool),
    memoryBytes: MEMORY_BYTES,
    // The files are the server's, which may run as another user.
    files: { folder: indexFolder(config.dataDir), isReadOnly: true },
  });
  const search = isInDatabase(config)
    ? new DatabaseSearch({ ...asking, finder: new SqlPassageFinder(pool), meanwhile: embedded })
    : embedded;
  return {
    search: (stackId, question, ask) => search.search(stackId, question, ask),
    stop: async (signal) => {
      await Promise.all([embedded.stop(signal), embeddings.stop(signal)]);
    },
  };
}

/** Moves documents into the tables of the search. No text is embedded for it. */
export function openSearchMove({ config, pool }: SearchMoveOptions): StoppableMove {
  const { model } = openEmbeddings(config.engines.embeddings, silentLog());
  const rows = new PassageRowMaker();
  const filler = new SearchFiller(pool, (batch, work) => rows.rows(batch, work));
  return {
    moves: new SearchMoves(pool, filler, model),
    indexes: new SearchIndexes(pool),
    stop: (signal) => rows.stop(signal),
  };
}

function isInDatabase({ engines }: Config): boolean {
  return engines.search.kind === 'postgres';
}

/** Stdout is for the result, and failures are reported by callbacks. */
function silentLog() {
  return createLog('silent', { write: () => undefined });
}
