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

  constructor({ wakeMs = WAKE_MS }: { readonly wakeMs?: number } = {}) {
    this.#wakeMs = wakeMs;
  }

  async wake(stack: CallerStack, lifecycle: Lifecycle | undefined, signal: AbortSignal): Promise<void> {
    if (lifecycle === undefined || this.isAwake(stack, lifecycle)) return;
    try {
      await lifecycle.ready(AbortSignal.any([signal, AbortSignal.timeout(this.#wakeMs)]));
    } catch (cause) {
      signal.throwIfAborted();
      throw new Fault('model-not-ready', 'The stack was paused for inactivity and is still waking.', {
        cause,
      });
    }
    this.#remember(stack.id);
  }

  /** Whether nobody has to wait for the stack. */
  isAwake(stack: CallerStack, lifecycle: Lifecycle): boolean {
    return (!stack.paused || this.#awake.has(stack.id)) && lifecycle.state !== 'paused';
  }

  #remember(stackId: string): void {
    const oldest = this.#awake.values().next();
    if (this.#awake.size >= MAX_AWAKE && !oldest.done) this.#awake.delete(oldest.value);
    this.#awake.add(stackId);
  }
}
