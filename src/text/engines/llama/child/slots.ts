import type { Token } from 'node-llama-cpp';
import type { Clock, Timer } from '../../../../lib/clock.ts';
import { Waiters } from '../../../../supervision/waiters.ts';
import { SequenceSlot, type SlotSetup } from './sequence-slot.ts';

/** A shorter common prefix comes from the template, and is no reason to choose a slot. */
const WORTHWHILE_TOKENS = 32;

export interface SlotsOptions extends SlotSetup {
  readonly count: number;
  /** How long an unused context is kept. */
  readonly idleMs: number;
  readonly clock: Clock;
}

/** A prompt and its cache scope. */
export interface ScopedPrompt {
  readonly tokens: readonly Token[];
  /** Only prompts of the same scope share tokens already read. */
  readonly scope: string | undefined;
}

interface KeptSlot {
  readonly slot: SequenceSlot;
  /** Scope of the conversation in the slot. */
  scope: string | undefined;
  usedAtMs: number;
  timer: Timer | undefined;
}

/** The slots for conversations: each request gets the one that holds most of its prompt. */
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

  /** Works in a slot; waits if an aborted request has not left its slot yet. */
  async *use<Item>(
    prompt: ScopedPrompt,
    signal: AbortSignal,
    work: (slot: SequenceSlot) => AsyncGenerator<Item>,
  ): AsyncGenerator<Item> {
    while (this.#free.length === 0) await this.#waiters.wait(signal);
    signal.throwIfAborted();
    const kept = this.#take(prompt);
    try {
      // Otherwise the time to read a prompt would reveal the prompts of another stack.
      if (kept.scope !== prompt.scope) await kept.slot.clear();
      kept.scope = prompt.scope;
      yield* work(kept.slot);
    } catch (error) {
      // The state after a failure is unknown; an abort leaves it intact.
      if (!signal.aborted) await kept.slot.forget();
      throw error;
    } finally {
      this.#release(kept);
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

  #release(kept: KeptSlot): void {
    kept.usedAtMs = this.#clock.nowMs();
    kept.timer = this.#clock.after(this.#idleMs, () => void kept.slot.forget());
    this.#free.push(kept);
    this.#waiters.resolveAll();
  }
}
