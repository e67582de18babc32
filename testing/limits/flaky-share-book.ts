import type { ShareAnswer, ShareAsk, ShareBook } from '../../src/access/share-book.ts';
import { Fault } from '../../src/faults/fault.ts';

/** A book whose answers can be lost, and which records its reports. */
export class FlakyShareBook implements ShareBook {
  readonly #book: ShareBook;
  /** Failures of the next exchanges: `before` they reach the database, or `after`, when only the answer is lost. */
  readonly failures: ('before' | 'after')[] = [];
  /** The highest reported settlement, by subject. */
  readonly told = new Map<string, number>();
  /** Number of asks. */
  asked = 0;

  constructor(book: ShareBook) {
    this.#book = book;
  }

  async exchange(asks: readonly ShareAsk[]): Promise<readonly ShareAnswer[]> {
    this.asked += 1;
    const failure = this.failures.shift();
    if (failure === 'before') throw new Fault('database-away', 'the database is away');
    const answers = await this.#book.exchange(asks);
    for (const { subject, settled } of asks) {
      const name = `${subject.stackId} ${subject.day}`;
      this.told.set(name, Math.max(settled, this.told.get(name) ?? 0));
    }
    if (failure === 'after') throw new Fault('database-away', 'the answer is lost');
    return answers;
  }

  usedByOthers: ShareBook['usedByOthers'] = (subjects) => this.#book.usedByOthers(subjects);
}
