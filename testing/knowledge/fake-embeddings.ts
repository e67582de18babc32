import type { Embeddings, EmbeddingsEngine } from '../../src/knowledge/embeddings-engine.ts';
import type { EngineState } from '../../src/supervision/lifecycle.ts';
import type { StackWork } from '../../src/supervision/stack-work.ts';

const WIDTH = 16;
const FIRST_LETTER = 97;

/** Counts letters: texts with the same letters mean the same. Chosen texts fail. */
export class FakeEmbeddings implements EmbeddingsEngine {
  readonly model: string;
  readonly lifecycle: { state: EngineState; ready(): Promise<void> } = {
    state: 'ready',
    ready: async () => {},
  };
  /** Texts per call. */
  readonly calls: (readonly string[])[] = [];
  failure: Error | undefined;
  /** Awaited before answering. */
  hold: () => Promise<void> = async () => {};

  constructor(model = 'letters') {
    this.model = model;
  }

  async embed(texts: readonly string[], { signal }: StackWork): Promise<Embeddings> {
    signal.throwIfAborted();
    this.calls.push(texts);
    await this.hold();
    signal.throwIfAborted();
    if (this.failure) throw this.failure;
    return { vectors: texts.map(letterVector), tokens: texts.join(' ').split(' ').length };
  }

  async stop(): Promise<void> {}
}

function letterVector(text: string): Float32Array {
  const vector = new Float32Array(WIDTH);
  for (const character of text.toLowerCase()) {
    const place = (character.charCodeAt(0) - FIRST_LETTER + WIDTH) % WIDTH;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((number) => number / length);
}
