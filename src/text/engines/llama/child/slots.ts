import type { Token } from 'node-llama-cpp';
import type { Clock, Timer } from '../../../../lib/clock.ts';
import { Waiters } from '../../../../supervision/waiters.ts';
import { SequenceSlot, type SlotSetup } from './sequence-slot.ts';

/** A shared beginning below this is the template's own, and no reason to choose a slot. */
const WORTHWHILE_TOKENS = 32;

export interface SlotsOptions extends SlotSetup {
  readonly count: number;
  /** How long a context is kept that nobody uses. */
  readonly idleMs: number;
  readonly clock: Clock;
}

interface KeptSlot {
  readonly slot: SequenceSlot;
  usedAtMs: number;
  timer: Timer | undefined;
}

/** The places for conversations: each request gets the one that remembers most of its prompt. */
export class Slots {
  readonly #idleMs: number;
  readonly #clock: Clock;
  readonly #free: KeptSlot[];
  readonly #waiters = new Waiters();

  constructor({ count, idleMs, clock, ...setup }: SlotsOptions) {
    this.#idleMs = idleMs;
    this.#clock = clock;
    const make = () => ({ slot: new SequenceSlot(setup), usedAtMs: 0, timer: undefined });
    this.#free = Array.from({ length: count }, make);
  }

  /** Works in a slot; waits for one where an aborted request has not left its own yet. */
  async *use<Item>(
    tokens: readonly Token[],
    signal: AbortSignal,
    work: (slot: SequenceSlot) => AsyncGenerator<Item>,
  ): AsyncGenerator<Item> {
    while (this.#free.length === 0) await this.#waiters.wait(signal);
    signal.throwIfAborted();
    const kept = this.#take(tokens);
    try {
      yield* work(kept.slot);
    } catch (error) {
      // What a failed step left behind is not known; an abort leaves all in order.
      if (!signal.aborted) await kept.slot.forget();
      throw error;
    } finally {
      this.#giveBack(kept);
    }
  }

  #take(tokens: readonly Token[]): KeptSlot {
    const [best] = this.#free.toSorted((one, other) => {
      const shared = this.#worth(other, tokens) - this.#worth(one, tokens);
      return (
        shared || Number(one.slot.hasContext) - Number(other.slot.hasContext) || one.usedAtMs - other.usedAtMs
      );
    });
    if (best === undefined) throw new Error('no slot is free');
    this.#free.splice(this.#free.indexOf(best), 1);
    best.timer?.cancel();
    return best;
  }

  #worth({ slot }: KeptSlot, tokens: readonly Token[]): number {
    const shared = slot.sharedTokens(tokens);
    return shared >= WORTHWHILE_TOKENS ? shared : 0;
  }

  #giveBack(kept: KeptSlot): void {
    kept.usedAtMs = this.#clock.nowMs();
    kept.timer = this.#clock.after(this.#idleMs, () => void kept.slot.forget());
    this.#free.push(kept);
    this.#waiters.resolveAll();
  }
}
