import type { StackWork } from '../../supervision/stack-work.ts';
import type { FinderOutcome } from '../../telemetry/field-finder-metrics.ts';
import type { FieldFinder, FieldQuestion, FoundOnPage, WordPlace } from './field-finder.ts';

/** Tells of each page whether a field finder has read it. */
export class CountedFieldFinder implements FieldFinder {
  readonly #finder: FieldFinder;
  readonly #count: (outcome: FinderOutcome) => void;

  constructor(finder: FieldFinder, count: (outcome: FinderOutcome) => void) {
    this.#finder = finder;
    this.#count = count;
  }

  get lifecycle() {
    return this.#finder.lifecycle;
  }

  async find(words: readonly WordPlace[], question: FieldQuestion, work: StackWork): Promise<FoundOnPage> {
    try {
      const found = await this.#finder.find(words, question, work);
      this.#count('read');
      return found;
    } catch (error) {
      this.#count(work.signal.aborted ? 'stopped' : 'failed');
      throw error;
    }
  }
}
