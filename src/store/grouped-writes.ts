import { isDatabaseAway } from './database-errors.ts';

/** Writes rows in one statement; writes all of them or none. */
type WriteRows<Row> = (rows: readonly Row[]) => Promise<void>;

interface Waiting<Row> {
  readonly row: Row;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Rows in one statement. More would keep those that came first waiting. */
const MOST_ROWS = 50;

/**
 * Writes rows that come close together by one statement. While a statement of an owner runs, further rows of that owner wait and
 * are written together after it. Owners do not wait for each other, so a lock on one delays no other.
 */
export class GroupedWrites<Row> {
  readonly #write: WriteRows<Row>;
  /** The rows that wait, for each owner whose statement runs. */
  readonly #waiting = new Map<string, Waiting<Row>[]>();

  constructor(write: WriteRows<Row>) {
    this.#write = write;
  }

  /** Resolves once the row is committed. */
  add(owner: string, row: Row): Promise<void> {
    return new Promise((resolve, reject) => {
      const line = this.#waiting.get(owner);
      if (line !== undefined) {
        line.push({ row, resolve, reject });
        return;
      }
      const first = [{ row, resolve, reject }];
      this.#waiting.set(owner, first);
      void this.#writeAll(owner, first);
    });
  }

  async #writeAll(owner: string, line: Waiting<Row>[]): Promise<void> {
    while (line.length > 0) await this.#writeGroup(line.splice(0, MOST_ROWS));
    this.#waiting.delete(owner);
  }

  async #writeGroup(group: readonly Waiting<Row>[]): Promise<void> {
    try {
      await this.#write(group.map(({ row }) => row));
    } catch (error) {
      if (group.length === 1 || isDatabaseAway(error)) for (const { reject } of group) reject(error);
      // One row may have been refused for all.
      else await Promise.all(group.map((each) => this.#writeGroup([each])));
      return;
    }
    for (const { resolve } of group) resolve();
  }
}
