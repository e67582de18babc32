import type { Clock, Timer } from '../../lib/clock.ts';

interface IndexSaverParts {
  readonly save: (stackId: string) => Promise<void>;
  readonly onFailure: (error: unknown) => unknown;
  readonly clock: Clock;
  /** How long changes are gathered. */
  readonly delayMs: number;
}

/** Saving takes at most this part of the time: large indexes that change all the time are saved less often. */
const TIME_FRACTION = 1 / 20;

/** Saves the indexes that changed, some time after the change and one at a time. */
export class IndexSaver {
  readonly #parts: IndexSaverParts;
  readonly #changed = new Set<string>();
  #timer: Timer | undefined;
  #delayMs: number;

  constructor(parts: IndexSaverParts) {
    this.#parts = parts;
    this.#delayMs = parts.delayMs;
  }

  /** Remembers that the index of a stack changed. */
  changed(stackId: string): void {
    this.#changed.add(stackId);
    this.#timer ??= this.#parts.clock.after(this.#delayMs, () => void this.#saveAll());
  }

  async #saveAll(): Promise<void> {
    const { clock, delayMs, save, onFailure } = this.#parts;
    const start = clock.nowMs();
    // A stack that changes meanwhile is next.
    const stackIds = [...this.#changed];
    this.#changed.clear();
    for (const stackId of stackIds) await save(stackId).catch(onFailure);
    this.#delayMs = Math.max(delayMs, (clock.nowMs() - start) / TIME_FRACTION);
    this.#timer = undefined;
    const [next] = this.#changed;
    if (next !== undefined) this.changed(next);
  }
}
