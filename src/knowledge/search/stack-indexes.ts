import { type IndexedVersion, StackIndex } from './stack-index.ts';

/** The indexes of stacks within a bound of memory: those that were not asked for the longest go first. */
export class StackIndexes {
  readonly #maxBytes: number;
  // A map keeps the order of insertion: the first is the one asked for the longest ago.
  readonly #stacks = new Map<string, StackIndex>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get stacks(): number {
    return this.#stacks.size;
  }

  get sizeBytes(): number {
    return [...this.#stacks.values()].reduce((sum, index) => sum + index.sizeBytes, 0);
  }

  /** The index of a stack as of a generation; undefined where it must be loaded. */
  at(stackId: string, generation: string): StackIndex | undefined {
    const index = this.#use(stackId);
    return index?.generation === generation ? index : undefined;
  }

  /** Begins to load a stack; gives the ids of those versions that are not here yet. */
  open(stackId: string, versions: readonly IndexedVersion[]): readonly string[] {
    let index = this.#use(stackId);
    // What was removed still takes room: beyond half of the index, it is made anew.
    if (!index || index.hiddenShare > 0.5) {
      index = new StackIndex();
      this.#stacks.set(stackId, index);
    }
    return versions.map(({ id }) => id).filter((id) => index.has(id) === false);
  }

  /** The index that is being loaded; undefined where it was dropped meanwhile. */
  loading(stackId: string): StackIndex | undefined {
    return this.#use(stackId);
  }

  /** Drops what is over the bound, but never the stack that was used last. */
  dropOldest(): void {
    for (const oldest of [...this.#stacks.keys()].slice(0, -1)) {
      if (this.sizeBytes <= this.#maxBytes) return;
      this.#stacks.delete(oldest);
    }
  }

  #use(stackId: string): StackIndex | undefined {
    const index = this.#stacks.get(stackId);
    if (index) {
      this.#stacks.delete(stackId);
      this.#stacks.set(stackId, index);
    }
    return index;
  }
}
