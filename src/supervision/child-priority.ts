import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { lowerSession } from './session-priority.ts';

/**
 * How far a child's CPU priority is below the gateway's: `heavy` for slow work that a request waits for, `background` for work
 * that no request waits for, or that takes seconds. On a busy core they still get a third and a tenth of the time of the
 * gateway's thread.
 */
export type ChildPriority = 'heavy' | 'background';

/** Added to the gateway's own niceness. */
const STEPS: Readonly<Record<ChildPriority, number>> = { heavy: 5, background: 10 };
const LOWEST = 19;

/** Lowers a process and all its threads; its future children inherit that. Does nothing without permission. */
export function lowerProcess(id: number, priority: ChildPriority): void {
  // Linux sets niceness per thread. The main thread comes first, so that threads it starts meanwhile inherit it.
  lowerThread(id, priority);
  for (const thread of threadsOf(id)) if (thread !== id) lowerThread(thread, priority);
  lowerSession(id, (own) => nicenessOf(own, priority));
}

/** Lowers one thread by its OS id. Does nothing without permission. */
export function lowerThread(thread: number, priority: ChildPriority): void {
  // Read each time: an operator may renice the gateway while it runs.
  attempt(() => setPriority(thread, nicenessOf(getPriority(), priority)));
}

function nicenessOf(own: number, priority: ChildPriority): number {
  return Math.min(LOWEST, own + STEPS[priority]);
}

function threadsOf(id: number): readonly number[] {
  return attempt(() => readdirSync(`/proc/${id}/task`).map(Number)) ?? [];
}

/** Not permitted, already gone, or not supported: never a reason to fail. */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
