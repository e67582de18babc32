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

/** A prompt, and whose it is. */
export interface ScopedPrompt {
  readonly tokens: readonly Token[];
  /** Of its conversation: only prompts of the same scope share what was read. */
  readonly scope: string | undefined;
}

interface KeptSlot {
  readonly slot: SequenceSlot;
  /** Of what it remembers. */
  scope: string | undefined;
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
    const make = () => ({ slot: new SequenceSlot(setup), scope: undefined, usedAtMs: 0, timer: undefined });
    this.#free = Array.from({ length: count }, make);
  }

  /** Works in a slot; waits for one where an aborted request has not left its own yet. */
  async *use<Item>(
    prompt: ScopedPrompt,
    signal: AbortSignal,
    work: (slot: SequenceSlot) => AsyncGenerator<Item>,
  ): AsyncGenerator<Item> {
    while (this.#free.length === 0) await this.#waiters.wait(signal);
    signal.throwIfAborted();
    const kept = this.#take(prompt);
    try {
      // How quickly a prompt is read would tell another stack what was asked here before.
      if (kept.scope !== prompt.scope) await kept.slot.clear();
      kept.scope = prompt.scope;
      yield* work(kept.slot);
    } catch (error) {
      // What a failed step left behind is not known; an abort leaves all in order.
      if (!signal.aborted) await kept.slot.forget();
      throw error;
    } finally {
      this.#giveBack(kept);
    }
  }

  #take(prompt: ScopedPrompt): KeptSlot {
    const [best] = this.#free.toSorted((one, other) => {
      const shared = this.#worth(other, prompt) - this.#worth(one, prompt);
      return (
        shared || Number(one.slot.hasContext) - Number(other.slot.hasContext) || one.usedAtMs - other.usedAtMs
      );
    });
    if (best === undefined) throw new Error('no slot is free');
    this.#free.splice(this.#free.indexOf(best), 1);
    best.timer?.cancel();
    return best;
  }

  #worth({ slot, scope }: KeptSlot, { tokens, scope: wanted }: ScopedPrompt): number {
    if (scope !== wanted) return 0;
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
