/** Bounds of a cache. */
export interface CacheBounds {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

/** A least-recently-used cache bounded by number and size of entries. */
export class BoundedCache<Value> {
  readonly #bounds: CacheBounds;
  readonly #entries = new Map<string, { readonly value: Value; readonly sizeBytes: number }>();
  #sizeBytes = 0;

  constructor(bounds: CacheBounds) {
    this.#bounds = bounds;
  }

  get entries(): number {
    return this.#entries.size;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // Maps keep insertion order, so the first entry is the least recently used.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Stores a value, unless it alone exceeds the size bound. */
  set(key: string, value: Value, sizeBytes: number): void {
    this.#remove(key);
    if (sizeBytes > this.#bounds.maxBytes) return;
    this.#entries.set(key, { value, sizeBytes });
    this.#sizeBytes += sizeBytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#bounds.maxEntries && this.#sizeBytes <= this.#bounds.maxBytes) return;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#sizeBytes -= this.#entries.get(key)?.sizeBytes ?? 0;
    this.#entries.delete(key);
  }
}
