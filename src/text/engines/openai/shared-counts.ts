import { SharedCalls } from '../../../lib/shared-calls.ts';
import type { Usage } from '../../text-event.ts';

const MAXIMUM_REMEMBERED = 2_000;

/** A count, and its cost until a request has paid for it. */
export interface Counted {
  readonly tokens: number;
  unpaid: Usage | undefined;
}

/** Caches counts, and shares one call among concurrent requests for the same count. */
export class SharedCounts {
  readonly #known = new Map<string, number>();
  readonly #underWay = new SharedCalls<Counted>();

  async get(
    key: string,
    count: (signal: AbortSignal) => Promise<Counted>,
    signal: AbortSignal,
  ): Promise<Counted> {
    signal.throwIfAborted();
    const known = this.#known.get(key);
    if (known !== undefined) {
      this.#remember(key, known);
      return { tokens: known, unpaid: undefined };
    }
    return await this.#underWay.join(key, signal, async (shared) => {
      const counted = await count(shared);
      this.#remember(key, counted.tokens);
      return counted;
    });
  }

  /** Least recently used entries come first and are dropped first. */
  #remember(key: string, tokens: number): void {
    this.#known.delete(key);
    this.#known.set(key, tokens);
    if (this.#known.size <= MAXIMUM_REMEMBERED) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}
