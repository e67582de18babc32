import type { CatalogueEntry, RecommendedSampling } from '../../../catalogue/catalogue-entry.ts';
import { pathOf } from '../../../catalogue/installed-model.ts';
import type { ModelFetch } from '../../../catalogue/model-fetch.ts';
import { adaptedSampling } from './built-in-adapter.ts';
import type { ModelFile } from './model-file.ts';

/** For models without recommended settings. */
const PLAIN_SAMPLING: RecommendedSampling = { temperature: 0.7 };
/** How far a context window may exceed the one the model was trained with: twice was no worse, more was not tried. */
const LONGEST_STRETCH = 2;
/** Smaller models do not always end their answers. */
const RAMBLING_BELOW_BILLION = 0.5;
const RAMBLE_TOKENS = 400;
/** The default model leaves out a fact of one instruction in six. */
const ADAPTED_DRAFTS = 3;

/** A model file from the catalogue, fetched if it is missing. */
export class CatalogueModelFile implements ModelFile {
  readonly sampling: RecommendedSampling;
  readonly longestContext: number | undefined;
  readonly rambleTokens: number | undefined;
  readonly documentDrafts: number | undefined;
  readonly #model: string;
  readonly #fetch: ModelFetch;

  /** `entry` is absent for the operator's own file. */
  constructor(options: {
    readonly model: string;
    readonly entry: CatalogueEntry | undefined;
    readonly fetch: ModelFetch;
    /** Whether it has the built-in adapter. */
    readonly isAdapted?: boolean;
  }) {
    const facts = options.entry?.text;
    this.sampling = options.isAdapted ? adaptedSampling : (facts?.sampling ?? PLAIN_SAMPLING);
    this.longestContext = facts && facts.trainedContext * LONGEST_STRETCH;
    const rambles = facts !== undefined && facts.parametersBillion < RAMBLING_BELOW_BILLION;
    this.rambleTokens = rambles ? RAMBLE_TOKENS : undefined;
    this.documentDrafts = options.isAdapted ? ADAPTED_DRAFTS : undefined;
    this.#model = options.model;
    this.#fetch = options.fetch;
  }

  get wait(): string | undefined {
    const state = this.#fetch.stateOf(this.#model);
    return state.state === 'ready' ? undefined : state.message;
  }

  get hasFailed(): boolean {
    return this.#fetch.stateOf(this.#model).state === 'failed';
  }

  async path(signal: AbortSignal): Promise<string> {
    const path = pathOf(await this.#fetch.ready(this.#model, signal), 'weights');
    if (path === undefined) throw new Error(`the model ${this.#model} has no weights`);
    return path;
  }
}
