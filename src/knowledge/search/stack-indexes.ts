import { type IndexedVersion, StackIndex } from './stack-index.ts';

/** Least recently used cache of indexes, bounded by memory. */
export class StackIndexes {
  readonly #maxBytes: number;
  // Maps keep insertion order: the first is the least recently used.
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

  /** The index of a stack at a generation; undefined if it must be loaded. */
  at(stackId: string, generation: string): StackIndex | undefined {
    const index = this.#use(stackId);
    return index?.generation === generation ? index : undefined;
  }

  /** Starts loading a stack; returns the ids of missing versions. */
  open(stackId: string, versions: readonly IndexedVersion[]): readonly string[] {
    let index = this.#use(stackId);
    // Removed chunks keep their memory: rebuild once they are more than half.
    if (!index || index.hiddenFraction > 0.5) {
      index = new StackIndex();
      this.#stacks.set(stackId, index);
    }
    return versions.map(({ id }) => id).filter((id) => index.has(id) === false);
  }

  /** The index being loaded; undefined if it was evicted meanwhile. */
  loading(stackId: string): StackIndex | undefined {
    return this.#use(stackId);
  }

  /** Evicts down to the bound, but never the stack used last. */
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
