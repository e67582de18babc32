import type { SearchOptions, StoppableSearch } from '../cli/command-context.ts';
import { HybridSearch } from '../knowledge/search/hybrid-search.ts';
import { SqlChunkSource } from '../store/sql-chunk-source.ts';
import { createLog } from '../telemetry/log.ts';
import { openEmbeddings } from './open-embeddings.ts';

/** An encoder that was not running takes some seconds to begin. */
const PATIENCE_MS = 60_000;

/** The search over the knowledge of stacks for a single question, with an embeddings engine of its own. */
export function openSearch({ config, pool, onEmbeddingsFailure }: SearchOptions): StoppableSearch {
  // What is wrong with the engine is told by the failure; standard output is the answer's.
  const log = createLog('silent', { write: () => undefined });
  const embeddings = openEmbeddings(config.engines.embeddings, log);
  const source = new SqlChunkSource(pool);
  const search = new HybridSearch({
    source,
    embeddings,
    onEmbeddingsFailure,
    embeddingPatience: { readyMs: PATIENCE_MS, wakingMs: PATIENCE_MS },
  });
  return {
    search: (stackId, question, ask) => search.search(stackId, question, ask),
    stop: async (signal) => {
      await Promise.all([search.stop(signal), embeddings.stop(signal)]);
    },
  };
}
