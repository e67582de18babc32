import type { SearchOptions, StoppableSearch } from '../cli/command-context.ts';
import { HybridSearch } from '../knowledge/search/hybrid-search.ts';
import { indexFolder } from '../knowledge/search/index-files.ts';
import { SqlChunkSource } from '../store/sql-chunk-source.ts';
import { createLog } from '../telemetry/log.ts';
import { openEmbeddings } from './open-embeddings.ts';

/** A sleeping encoder takes some seconds to start. */
const PATIENCE_MS = 60_000;

/** A knowledge search for a single question, with its own embeddings engine. */
export function openSearch({ config, pool, onEmbeddingsFailure }: SearchOptions): StoppableSearch {
  // Silent: stdout is for the result, and failures are reported by the callback.
  const log = createLog('silent', { write: () => undefined });
  const embeddings = openEmbeddings(config.engines.embeddings, log);
  const source = new SqlChunkSource(pool);
  const search = new HybridSearch({
    source,
    embeddings,
    onEmbeddingsFailure,
    memoryBytes: config.engines.search.memoryBytes,
    // The files are the server's, which may run as another user.
    files: { folder: indexFolder(config.dataDir), isReadOnly: true },
    embeddingPatience: { readyMs: PATIENCE_MS, wakingMs: PATIENCE_MS },
  });
  return {
    search: (stackId, question, ask) => search.search(stackId, question, ask),
    stop: async (signal) => {
      await Promise.all([search.stop(signal), embeddings.stop(signal)]);
    },
  };
}
