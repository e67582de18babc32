import type { FoundChunk, KnowledgeSearch, SearchAsk } from '../knowledge-search.ts';
import type { PassageFinder } from '../passage-finder.ts';
import { QuestionEmbedder, type QuestionEmbedderOptions, searchedPart } from './question-embedder.ts';

export interface DatabaseSearchOptions extends QuestionEmbedderOptions {
  readonly finder: PassageFinder;
  /** Answers for stacks that are still on their way to the finder. */
  readonly meanwhile: KnowledgeSearch;
}

/** Searches where the documents are stored; nothing is held here. */
export class DatabaseSearch implements KnowledgeSearch {
  readonly #options: DatabaseSearchOptions;
  readonly #questions: QuestionEmbedder;

  constructor(options: DatabaseSearchOptions) {
    this.#options = options;
    this.#questions = new QuestionEmbedder(options);
  }

  async search(
    stackId: string,
    question: string,
    { most, signal, span }: SearchAsk,
  ): Promise<readonly FoundChunk[]> {
    const { finder, meanwhile, embeddings } = this.#options;
    const asked = searchedPart(question);
    if (asked === '') return [];
    const vectorOf = () => this.#questions.vectorOf(asked, { stackId, signal, span });
    const found = await finder.find(
      { stackId, question: asked, most, model: embeddings.model, vectorOf },
      signal,
    );
    return found ?? (await meanwhile.search(stackId, question, { most, signal, span }));
  }
}
