import { pointerOf } from './json-pointer.ts';

/** The files a part of the data should come from. */
export interface FileChoice {
  /** From 1. */
  readonly files: ReadonlySet<number>;
  /** Whether the hint names this part; otherwise it is general and applies only if the value is there. */
  readonly isNamed: boolean;
}

/** The caller's hints on which file each part of the data is in. */
export class FileHints {
  readonly #named: ReadonlyMap<string, ReadonlySet<number>>;
  readonly #others: ReadonlySet<number>;

  constructor(
    named: ReadonlyMap<string, ReadonlySet<number>> = new Map(),
    others: ReadonlySet<number> = new Set(),
  ) {
    this.#named = named;
    this.#others = others;
  }

  /** The hint for the part itself, else for a parent, else the general one; undefined if there is none. */
  choiceFor(path: readonly string[]): FileChoice | undefined {
    for (let depth = path.length; depth > 0; depth--) {
      const files = this.#named.get(pointerOf(path.slice(0, depth)));
      if (files !== undefined) return { files, isNamed: true };
    }
    return this.#others.size === 0 ? undefined : { files: this.#others, isNamed: false };
  }
}

export const noHints = new FileHints();
