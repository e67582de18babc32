import type { EmbeddingsEngineConfig } from '../config/config.ts';
import type { EmbeddingsEngine } from '../knowledge/embeddings-engine.ts';
import { EmbeddedEmbeddings } from '../knowledge/engines/embedded/embedded-embeddings.ts';
import { OpenAiEmbeddings } from '../knowledge/engines/openai/openai-embeddings.ts';
import type { Log } from '../telemetry/log.ts';

/** The configured embeddings engine, started on demand. */
export function openEmbeddings(config: EmbeddingsEngineConfig, log: Log): EmbeddingsEngine {
  switch (config.kind) {
    case 'embedded':
      return new EmbeddedEmbeddings({ log });
    case 'openai':
      return new OpenAiEmbeddings({ config, log });
  }
}
