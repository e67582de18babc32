import { pathOf } from '../../catalogue/installed-model.ts';
import type { ModelFetch } from '../../catalogue/model-fetch.ts';
import { Fault } from '../../faults/fault.ts';
import type { HasOthers } from '../../supervision/fair-queue.ts';
import type { EngineState, Lifecycle } from '../../supervision/lifecycle.ts';
import type { StackWork } from '../../supervision/stack-work.ts';
import type { ChildEvent } from '../../supervision/supervised-options.ts';
import type { OcrEngine, OcrPicture } from '../ocr-engine.ts';
import type { PageText } from '../page-text.ts';
import { EmbeddedOcr } from './embedded-ocr.ts';
import { ocrFiles } from './ocr-files.ts';

export interface FetchedOcrOptions {
  readonly models: Pick<ModelFetch, 'stateOf' | 'ready' | 'faultOf'>;
  readonly model: string;
  readonly threads: number;
  readonly hasOthers?: HasOthers;
  readonly observe?: (event: ChildEvent) => void;
}

/** OCR with a model from the catalogue; requests are refused until it is fetched. */
export class FetchedOcr implements OcrEngine {
  readonly #options: FetchedOcrOptions;
  #engine: EmbeddedOcr | undefined;
  #isStopped = false;

  constructor(options: FetchedOcrOptions) {
    this.#options = options;
  }

  get lifecycle(): Lifecycle {
    const engineState = () => this.#state();
    return {
      get state() {
        return engineState();
      },
      ready: async (signal) => {
        await this.#options.models.ready(this.#options.model, signal);
        await this.#open().lifecycle.ready(signal);
      },
    };
  }

  get parallel(): number {
    return this.#options.threads;
  }

  async read(picture: OcrPicture, work: StackWork): Promise<PageText> {
    return this.#open().read(picture, work);
  }

  async stop(signal: AbortSignal): Promise<void> {
    this.#isStopped = true;
    await this.#engine?.stop(signal);
  }

  #state(): EngineState {
    const { state } = this.#options.models.stateOf(this.#options.model);
    if (state === 'ready') return this.#engine?.lifecycle.state ?? 'paused';
    return state === 'failed' ? 'degraded' : 'starting';
  }

  #open(): EmbeddedOcr {
    if (this.#engine) return this.#engine;
    const { models, model, threads, hasOthers, observe } = this.#options;
    const fetched = models.stateOf(model);
    if (fetched.state !== 'ready' || this.#isStopped) {
      throw models.faultOf(model) ?? new Fault('model-not-ready', 'OCR has been stopped.');
    }
    const files = ocrFiles((role) => pathOf(fetched.model, role));
    if (!files) throw new Fault('model-not-ready', `The model "${model}" is not one that reads pictures.`);
    this.#engine = new EmbeddedOcr({
      files,
      threads,
      ...(hasOthers && { hasOthers }),
      ...(observe && { observe }),
    });
    return this.#engine;
  }
}
