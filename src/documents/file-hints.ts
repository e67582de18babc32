import { pointerOf } from './json-pointer.ts';

/** The files that a part of the data is to be taken from. */
export interface FileChoice {
  /** Their numbers, from 1. */
  readonly files: ReadonlySet<number>;
  /** Whether that was said of this part by name; else it is said of everything, and holds where the value is there. */
  readonly isNamed: boolean;
}

/** What a caller says about where each part of the data is found. */
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

  /** What is said of a part, or else of what it is in, or else of everything; undefined where nothing is. */
  choiceFor(path: readonly string[]): FileChoice | undefined {
    for (let depth = path.length; depth > 0; depth--) {
      const files = this.#named.get(pointerOf(path.slice(0, depth)));
      if (files !== undefined) return { files, isNamed: true };
    }
    return this.#others.size === 0 ? undefined : { files: this.#others, isNamed: false };
  }
}

/** Nothing is said. */
export const noHints = new FileHints();
