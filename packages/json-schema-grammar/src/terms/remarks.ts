/** A keyword that the grammar treats differently from the schema, and why. */
export interface Remark {
  readonly path: string;
  readonly keyword: string;
  readonly message: string;
}

/** Collects remarks during a compilation. */
export class Remarks {
  readonly #unenforced = new Map<string, Remark>();
  readonly #narrowed = new Map<string, Remark>();

  /** Keywords that the grammar does not enforce; answers must be validated. */
  get unenforced(): readonly Remark[] {
    return [...this.#unenforced.values()];
  }

  /** Keywords for which the grammar allows less than the schema. */
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
