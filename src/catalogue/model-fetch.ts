import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { isModelPath, modelName } from '../config/model-path.ts';
import { Fault } from '../faults/fault.ts';
import { ModelUnknown } from './fetch-failures.ts';
import type { FetchWatcher } from './fetch-watcher.ts';
import type { InstalledModel } from './installed-model.ts';
import type { ModelProgress } from './model-progress.ts';
import type { ModelStore } from './model-store.ts';
import { progressText } from './size-text.ts';

/** The state of a required model; messages may be shown to clients. */
export type FetchState =
  | { readonly state: 'absent'; readonly message: string }
  | { readonly state: 'fetching'; readonly message: string; readonly progress: ModelProgress }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'ready'; readonly model: InstalledModel };

/** Retry intervals while the gateway runs. */
export interface RetryTimes {
  readonly firstMs: number;
  readonly maxMs: number;
  /** How often the disk is checked meanwhile: an operator may copy the model by hand. */
  readonly lookMs: number;
}

/** For a gateway that runs for weeks. */
export const defaultRetryTimes: RetryTimes = { firstMs: 15_000, maxMs: 600_000, lookMs: 2_000 };

export interface ModelFetchOptions {
  readonly store: Pick<ModelStore, 'find' | 'install'>;
  /** Catalogue names or paths of .gguf files, most urgent first. */
  readonly models: readonly string[];
  readonly watcher: FetchWatcher;
  readonly times?: RetryTimes;
}

/** Fetches required models in the background while the gateway serves, and tracks their state. */
export class ModelFetch {
  readonly #store: ModelFetchOptions['store'];
  readonly #watcher: FetchWatcher;
  readonly #times: RetryTimes;
  readonly #states: Map<string, FetchState>;
  readonly #closed = new AbortController();
  /** Every waiting engine listens; many listeners are not a leak. */
  readonly #arrivals = new EventEmitter().setMaxListeners(0);
  #running: Promise<void> | undefined;

  constructor({ store, models, watcher, times = defaultRetryTimes }: ModelFetchOptions) {
    this.#store = store;
    this.#watcher = watcher;
    this.#times = times;
    this.#states = new Map(models.map((model) => [model, { state: 'absent', message: aboutToCome(model) }]));
  }

  /** Starts once; models on the disk are ready within moments, without a network. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** A model that was not requested at start is absent. */
  stateOf(model: string): FetchState {
    return this.#states.get(model) ?? { state: 'absent', message: aboutToCome(model) };
  }

  /** The fault for a request that needs a missing model; undefined once it is installed. */
  faultOf(model: string): Fault | undefined {
    const state = this.stateOf(model);
    return state.state === 'ready' ? undefined : new Fault('model-not-ready', state.message);
  }

  /** Waits for a model; rejects only if the signal aborts or the fetch is closed. */
  async ready(model: string, signal: AbortSignal): Promise<InstalledModel> {
    const ended = AbortSignal.any([signal, this.#closed.signal]);
    for (;;) {
      ended.throwIfAborted();
      const state = this.stateOf(model);
      if (state.state === 'ready') return state.model;
      await once(this.#arrivals, 'arrival', { signal: ended });
    }
  }

  /** Stops; partial downloads stay and are resumed at the next start. */
  async close(): Promise<void> {
    this.#closed.abort(new Error('the fetch of models was ended'));
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      let pauseMs = this.#times.firstMs;
      while (this.#pending().length > 0) {
        for (const model of this.#pending()) await this.#try(model, pauseMs);
        if (this.#pending().length > 0) await this.#wait(pauseMs);
        pauseMs = Math.min(this.#times.maxMs, pauseMs * 2);
      }
    } catch (error) {
      if (!this.#closed.signal.aborted) throw error;
    }
  }

  async #try(model: string, retryInMs: number): Promise<void> {
    const { signal } = this.#closed;
    try {
      const found = await this.#store.find(model, signal);
      if (found === undefined && isModelPath(model))
        throw new Error(`${model} is missing or is no GGUF file`);
      const onProgress = (progress: ModelProgress) => this.#progressed(model, progress);
      this.#arrived(model, found ?? (await this.#store.install(model, { signal, onProgress })));
    } catch (error) {
      signal.throwIfAborted();
      this.#states.set(model, { state: 'failed', message: failureMessage(model, error) });
      this.#watcher.failed(model, error instanceof Error ? error.message : String(error), retryInMs);
    }
  }

  /** Waits before the next attempt, and checks whether an operator installed a model meanwhile. */
  async #wait(pauseMs: number): Promise<void> {
    const { signal } = this.#closed;
    for (let leftMs = pauseMs; leftMs > 0; leftMs -= this.#times.lookMs) {
      await delay(Math.min(leftMs, this.#times.lookMs), undefined, { signal });
      for (const model of this.#pending()) {
        const found = await this.#store.find(model, signal).catch(() => undefined);
        if (found !== undefined) this.#arrived(model, found);
      }
      if (this.#pending().length === 0) return;
    }
  }

  #pending(): readonly string[] {
    return [...this.#states].filter(([, { state }]) => state !== 'ready').map(([model]) => model);
  }

  #progressed(model: string, progress: ModelProgress): void {
    const amount = progressText(progress.receivedBytes, progress.totalBytes);
    const message = `The model ${modelName(model)} is being fetched: ${amount}.`;
    this.#states.set(model, { state: 'fetching', progress, message });
    this.#watcher.progressed(model, progress);
  }

  #arrived(model: string, installed: InstalledModel): void {
    this.#states.set(model, { state: 'ready', model: installed });
    this.#watcher.arrived(model, installed);
    this.#arrivals.emit('arrival');
  }
}

function aboutToCome(model: string): string {
  return `The model ${modelName(model)} is not loaded yet; the gateway has just started.`;
}

/** Shown to clients: contains no local paths or addresses. */
function failureMessage(model: string, error: unknown): string {
  const name = modelName(model);
  if (error instanceof ModelUnknown) return error.message;
  if (isModelPath(model)) {
    return `The file of the model ${name} is missing or is no GGUF file. The operator finds its path in the configuration.`;
  }
  return `The model ${name} is not on the gateway's machine and could not be fetched. The operator can run "stackgate models pull ${name}", or set the path of a .gguf file as the model; the gateway keeps trying.`;
}
