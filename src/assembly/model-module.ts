import type { FetchWatcher } from '../catalogue/fetch-watcher.ts';
import { ModelFetch } from '../catalogue/model-fetch.ts';
import type { ModelStore } from '../catalogue/model-store.ts';
import type { Config } from '../config/config.ts';
import type { GatewayModule } from './gateway-module.ts';

export interface ModelPartOptions {
  readonly config: Config;
  readonly store: ModelStore;
  /** Reports the progress of fetches. */
  readonly watcher: FetchWatcher;
}

/** Fetches the models of embedded engines while the gateway serves. */
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

/** Most urgent first: people chat before they scan. */
function neededModels({ engines }: Config): readonly string[] {
  const text = Object.values(engines.text).flatMap((engine) =>
    engine.kind === 'llama' ? [engine.model] : [],
  );
  return [...new Set([...text, engines.ocr.model])];
}
