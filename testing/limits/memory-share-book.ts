import type { ShareAnswer, ShareAsk, ShareBook } from '../../src/access/share-book.ts';

/** A book for a single process; grants whatever is free. */
export class MemoryShareBook implements ShareBook {
  /** Number of asks. */
  asked = 0;
  /** Used by others, of every ceiling. */
  usedElsewhere = 0;

  async exchange(asks: readonly ShareAsk[]): Promise<readonly ShareAnswer[]> {
    this.asked += 1;
    return asks.map(({ ceiling, settled, reserved, want, need }) => {
      const used = settled + reserved;
      const free = Math.max(0, ceiling - this.usedElsewhere - used);
      return { granted: used + Math.min(Math.max(want, need), free), othersHold: this.usedElsewhere };
    });
  }

  async usedByOthers(subjects: readonly unknown[]): Promise<readonly number[]> {
    return subjects.map(() => this.usedElsewhere);
  }
}
