import type { FetchWatcher } from '../catalogue/fetch-watcher.ts';
import { ModelFetch } from '../catalogue/model-fetch.ts';
import type { ModelStore } from '../catalogue/model-store.ts';
import type { Config } from '../config/config.ts';
import type { GatewayModule } from './gateway-module.ts';

export interface ModelPartOptions {
  readonly config: Config;
  /** The model files of this machine. */
  readonly store: ModelStore;
  /** Told of models that are fetched. */
  readonly watcher: FetchWatcher;
}

/** The models that embedded engines need, brought onto this machine while the gateway already serves. */
export class ModelModule implements GatewayModule {
  readonly fetch: ModelFetch;

  constructor({ config, store, watcher }: ModelPartOptions) {
    this.fetch = new ModelFetch({ store, models: neededModels(config), watcher });
  }

  start(): void {
    this.fetch.start();
  }

  stop(): Promise<void> {
    return this.fetch.close();
  }
}

/** The most urgent first: people chat before they scan. */
function neededModels({ engines }: Config): readonly string[] {
  const text = Object.values(engines.text).flatMap((engine) =>
    engine.kind === 'llama' ? [engine.model] : [],
  );
  return [...new Set([...text, engines.ocr.model])];
}
