/** One keyword that the grammar treats differently from the schema, and why. */
export interface Remark {
  readonly path: string;
  readonly keyword: string;
  readonly message: string;
}

/** What is noted while a grammar is made. */
export class Remarks {
  readonly #unenforced = new Map<string, Remark>();
  readonly #narrowed = new Map<string, Remark>();

  /** What the grammar does not hold; only a validation of the answer can. */
  get unenforced(): readonly Remark[] {
    return [...this.#unenforced.values()];
  }

  /** Where the grammar allows less than the schema. */
  get narrowed(): readonly Remark[] {
    return [...this.#narrowed.values()];
  }

  leave(remark: Remark): void {
    this.#unenforced.set(keyOf(remark), remark);
  }

  narrow(remark: Remark): void {
    this.#narrowed.set(keyOf(remark), remark);
  }
}

function keyOf({ path, keyword, message }: Remark): string {
  return `${path}\n${keyword}\n${message}`;
}
