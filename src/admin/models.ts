import type { CatalogueEntry } from '../catalogue/catalogue-entry.ts';
import { pathOf } from '../catalogue/installed-model.ts';
import type { ModelStore } from '../catalogue/model-store.ts';
import { writeChosenModel } from '../config/chosen-model.ts';
import type { Config } from '../config/config.ts';
import { isModelPath } from '../config/model-path.ts';
import { adapterName } from '../text/engines/llama/built-in-adapter.ts';
import { OperatorError } from './operator-error.ts';

/** A catalogue model and its state on this machine. */
export interface ListedModel {
  readonly entry: CatalogueEntry;
  readonly isInstalled: boolean;
  /** Configured engines that use it. */
  readonly usedBy: readonly string[];
  /** Adapters of these engines: `built-in`, or paths. */
  readonly adapters: readonly string[];
}

export async function listModels(store: ModelStore, config: Config): Promise<readonly ListedModel[]> {
  const listed: ListedModel[] = [];
  for (const entry of store.entries) {
    const isInstalled = (await store.find(entry.name)) !== undefined;
    const usedBy = usersOf(config, entry.name);
    listed.push({ entry, isInstalled, usedBy, adapters: adaptersOf(config, entry.name) });
  }
  return listed;
}

/** The configuration keys of engines that use a model. */
export function usersOf({ engines }: Config, model: string): readonly string[] {
  const text = Object.entries(engines.text)
    .filter(([, engine]) => engine.kind === 'llama' && engine.model === model)
    .map(([name]) => `engines.text.${name}`);
  return engines.ocr.model === model ? [...text, 'engines.ocr'] : text;
}

function adaptersOf({ engines }: Config, model: string): readonly string[] {
  const adapters = Object.values(engines.text).map((engine) =>
    engine.kind === 'llama' && engine.model === model ? adapterName(engine) : undefined,
  );
  return [...new Set(adapters.filter((name) => name !== undefined))];
}

export interface ModelChoice {
  readonly model: string;
  /** Engines that use it from the next start on. */
  readonly switched: readonly string[];
  /** Engines whose model is set in the file; only editing the file changes them. */
  readonly named: readonly string[];
  readonly isInstalled: boolean;
}

/** Sets the model of every embedded text engine without a model in the configuration file. */
export async function useModel(store: ModelStore, config: Config, model: string): Promise<ModelChoice> {
  const isInstalled = await isUsable(store, model);
  const embedded = Object.entries(config.engines.text).flatMap(([name, engine]) =>
    engine.kind === 'llama' ? [{ key: `engines.text.${name}`, isNamed: engine.isModelNamed }] : [],
  );
  if (embedded.length === 0) {
    throw new OperatorError(`${config.file} has no text engine of kind llama, so there is nothing to switch`);
  }
  const switched = embedded.filter(({ isNamed }) => !isNamed).map(({ key }) => key);
  if (switched.length > 0) await writeChosenModel(config.dataDir, model);
  return {
    model,
    switched,
    named: embedded.filter(({ isNamed }) => isNamed).map(({ key }) => key),
    isInstalled,
  };
}

/** Whether a model is installed; throws if it cannot be a text model. */
async function isUsable(store: ModelStore, model: string): Promise<boolean> {
  const found = await store.find(model);
  if (isModelPath(model)) {
    if (found !== undefined && pathOf(found, 'weights') !== undefined) return true;
    throw new OperatorError(`${model} is missing or is no GGUF file`);
  }
  const { kind } = store.entry(model);
  if (kind !== 'text')
    throw new OperatorError(`${model} is a model for ${kind}: set it as engines.${kind}.model`);
  return found !== undefined;
}
