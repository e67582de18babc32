import { type IndexedVersion, StackIndex } from './stack-index.ts';

/** The index of a stack as it was saved last. */
type ReadSaved = (stackId: string) => StackIndex | undefined;

/** Least recently used cache of indexes, bounded by memory. */
export class StackIndexes {
  readonly #maxBytes: number;
  readonly #readSaved: ReadSaved;
  // Maps keep insertion order: the first is the least recently used.
  readonly #stacks = new Map<string, StackIndex>();

  constructor(maxBytes: number, readSaved: ReadSaved = () => undefined) {
    this.#maxBytes = maxBytes;
    this.#readSaved = readSaved;
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
    // Removed chunks keep their memory: rebuild once they are more than half. The saved index has no removed chunks.
    if (!index || index.hiddenFraction > 0.5) {
      index = this.#readSaved(stackId) ?? new StackIndex();
      this.#stacks.set(stackId, index);
      this.dropOldest();
    }
    return versions.map(({ id }) => id).filter((id) => index.has(id) === false);
  }

  /** The index of a stack if it is in memory; it does not count as asked for. */
  peek(stackId: string): StackIndex | undefined {
    return this.#stacks.get(stackId);
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
