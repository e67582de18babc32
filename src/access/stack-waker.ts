import type { Abortable } from '../access/admission.ts';
import type { CallerStack } from '../access/caller.ts';
import { Fault } from '../faults/fault.ts';
import type { Lifecycle } from '../supervision/lifecycle.ts';

const WAKE_MS = 20_000;
// A stack is woken once per process; over this many, the oldest are woken again, which costs nothing when they are awake.
const MAX_AWAKE = 10_000;

/** Wakes stacks that are paused for inactivity: the request that finds one waits for it, within bounds. */
export class StackWaker {
  readonly #wakeMs: number;
  readonly #awake = new Set<string>();
  /** Engines that were paused and are waited for, and by how many. */
  readonly #waking = new Map<Lifecycle, number>();

  constructor({ wakeMs = WAKE_MS }: { readonly wakeMs?: number } = {}) {
    this.#wakeMs = wakeMs;
  }

  /** Returns a promise only if it has to wait. */
  wake(stack: CallerStack, lifecycle: Lifecycle | undefined, request: Abortable): void | Promise<void> {
    if (lifecycle !== undefined && !this.#isAwake(stack, lifecycle))
      return this.#wake(stack, lifecycle, request.signal);
  }

  async #wake(stack: CallerStack, lifecycle: Lifecycle, signal: AbortSignal): Promise<void> {
    using _waking = this.#wait(lifecycle);
    try {
      await lifecycle.ready(AbortSignal.any([signal, AbortSignal.timeout(this.#wakeMs)]));
    } catch (cause) {
      signal.throwIfAborted();
      throw new Fault('model-not-ready', whyNotReady(stack, lifecycle), { cause });
    }
    this.#remember(stack.id);
  }

  #isAwake(stack: CallerStack, lifecycle: Lifecycle): boolean {
    if (stack.paused && !this.#awake.has(stack.id)) return false;
    const { state } = lifecycle;
    return state !== 'paused' && !(state === 'starting' && this.#waking.has(lifecycle));
  }

  /** Until it is disposed of, all who find the engine starting wait like the one who woke it. */
  #wait(lifecycle: Lifecycle): Disposable | undefined {
    const waiting = this.#waking.get(lifecycle) ?? 0;
    if (waiting === 0 && lifecycle.state !== 'paused') return undefined;
    this.#waking.set(lifecycle, waiting + 1);
    return {
      [Symbol.dispose]: () => {
        const left = (this.#waking.get(lifecycle) ?? 0) - 1;
        if (left > 0) this.#waking.set(lifecycle, left);
        else this.#waking.delete(lifecycle);
      },
    };
  }

  #remember(stackId: string): void {
    const oldest = this.#awake.values().next();
    if (this.#awake.size >= MAX_AWAKE && !oldest.done) this.#awake.delete(oldest.value);
    this.#awake.add(stackId);
  }
}

function whyNotReady({ paused }: CallerStack, { wait, state }: Lifecycle): string {
  if (wait !== undefined) return wait;
  if (state === 'degraded') return 'The model is not ready: its engine is degraded.';
  return paused
    ? 'The stack was paused for inactivity and is still waking.'
    : 'The model is still starting; retry in a moment.';
}
