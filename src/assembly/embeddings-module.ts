import type { Config } from '../config/config.ts';
import type { EmbeddingsEngine } from '../knowledge/embeddings-engine.ts';
import type { Log } from '../telemetry/log.ts';
import type { GatewayModule, NamedState } from './gateway-module.ts';
import { openEmbeddings } from './open-embeddings.ts';

/** The embeddings engine. */
export class EmbeddingsModule implements GatewayModule {
  readonly engine: EmbeddingsEngine;
  readonly #kind: string;

  constructor({ config, log }: { config: Config; log: Log }) {
    this.engine = openEmbeddings(config.engines.embeddings, log);
    this.#kind = config.engines.embeddings.kind;
  }

  states(): readonly NamedState[] {
    return [[`embeddings:${this.#kind}`, this.engine.lifecycle.state]];
  }

  stop(signal: AbortSignal): Promise<void> {
    return this.engine.stop(signal);
  }
}
