/** A block and the new block split from it. */
interface Split {
  readonly kept: number;
  readonly added: number;
}

/** A partition of the numbers from 0 up, which can only be refined. */
export class Partition {
  /** All elements, grouped by block. */
  readonly #elements: Int32Array;
  readonly #positions: Int32Array;
  readonly #blockOf: Int32Array;
  readonly #first: number[] = [0];
  readonly #size: number[];

  constructor(size: number) {
    this.#elements = Int32Array.from({ length: size }, (_, index) => index);
    this.#positions = this.#elements.slice();
    this.#blockOf = new Int32Array(size);
    this.#size = [size];
  }

  blockOf(element: number): number {
    return this.#blockOf[element] ?? 0;
  }

  sizeOf(block: number): number {
    return this.#size[block] ?? 0;
  }

  membersOf(block: number): readonly number[] {
    const first = this.#first[block] ?? 0;
    return [...this.#elements.subarray(first, first + this.sizeOf(block))];
  }

  /** Separates the chosen elements, which must be distinct, from the rest of their blocks. */
  split(chosen: readonly number[]): readonly Split[] {
    const counts = new Map<number, number>();
    for (const element of chosen) {
      const block = this.blockOf(element);
      const count = counts.get(block) ?? 0;
      this.#swap(element, (this.#first[block] ?? 0) + count);
      counts.set(block, count + 1);
    }
    const splits: Split[] = [];
    for (const [block, count] of counts) {
      if (count < this.sizeOf(block)) splits.push({ kept: block, added: this.#cut(block, count) });
    }
    return splits;
  }

  #swap(element: number, position: number): void {
    const other = this.#elements[position] ?? 0;
    const previous = this.#positions[element] ?? 0;
    this.#elements[position] = element;
    this.#elements[previous] = other;
    this.#positions[element] = position;
    this.#positions[other] = previous;
  }

  #cut(block: number, count: number): number {
    const first = this.#first[block] ?? 0;
    const added = this.#first.push(first) - 1;
    this.#size.push(count);
    this.#first[block] = first + count;
    this.#size[block] = this.sizeOf(block) - count;
    for (const element of this.membersOf(added)) this.#blockOf[element] = added;
    return added;
  }
}
