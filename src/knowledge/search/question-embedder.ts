import type { StackWork } from '../../supervision/stack-work.ts';
import type { EmbeddingsEngine } from '../embeddings-engine.ts';

export interface QuestionEmbedderOptions {
  readonly embeddings: EmbeddingsEngine;
  /** Called when a question had to be searched by words only. */
  readonly onEmbeddingsFailure: (error: unknown) => void;
  /** How long a question waits for its vector. */
  readonly embeddingPatience?: EmbeddingPatience;
}

interface EmbeddingPatience {
  readonly readyMs: number;
  /** While the engine wakes up. */
  readonly wakingMs: number;
}

/**
 * The embedded engine sleeps when idle and wakes in 1 to 2.5 s. Waiting for it keeps results the same as for the next question.
 */
const defaultPatience: EmbeddingPatience = { readyMs: 2_000, wakingMs: 4_000 };
/** Longer questions are cut: searching for a whole document finds nothing specific. */
const MAX_QUESTION_CHARACTERS = 4_000;

/** The part of a question that is searched for. */
export function searchedPart(question: string): string {
  return question.slice(0, MAX_QUESTION_CHARACTERS).trim();
}

/** Embeds questions, as long as that does not take too long. */
export class QuestionEmbedder {
  readonly #options: QuestionEmbedderOptions;

  constructor(options: QuestionEmbedderOptions) {
    this.#options = options;
  }

  get isEngineWaking(): boolean {
    const { state } = this.#options.embeddings.lifecycle;
    return state === 'paused' || state === 'starting';
  }

  /** Undefined if the engine failed or was too slow: search by words only. */
  async vectorOf(question: string, { stackId, signal, span }: StackWork): Promise<Float32Array | undefined> {
    const { embeddings, embeddingPatience = defaultPatience } = this.#options;
    const patienceMs = this.isEngineWaking ? embeddingPatience.wakingMs : embeddingPatience.readyMs;
    const enough = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    try {
      return (await embeddings.embed([question], { stackId, signal: enough, span })).vectors[0];
    } catch (error) {
      signal.throwIfAborted();
      this.#options.onEmbeddingsFailure(error);
      return undefined;
    }
  }
}
