import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { hasErrorCode } from '../lib/error-code.ts';

/**
 * How far a child's CPU priority is below the gateway's: `heavy` for slow work that a request waits for, `background` for work
 * that no request waits for. On a busy core they still get a third and a tenth of the time of the gateway's thread.
 */
export type ChildPriority = 'heavy' | 'background';

/** Added to the gateway's own niceness. */
const STEPS: Readonly<Record<ChildPriority, number>> = { heavy: 5, background: 10 };
const LOWEST = 19;
const SESSION_RETRY_MS = 130;
const SESSION_TRIES = 20;

/** Lowers a process and all its threads; its future children inherit that. Does nothing without permission. */
export function lowerProcess(id: number, priority: ChildPriority): void {
  // Linux sets niceness per thread. The main thread comes first, so that threads it starts meanwhile inherit it.
  lowerThread(id, priority);
  for (const thread of threadsOf(id)) if (thread !== id) lowerThread(thread, priority);
  lowerSession(id, priority);
}

/** Lowers one thread by its OS id. Does nothing without permission. */
export function lowerThread(thread: number, priority: ChildPriority): void {
  // Read each time: an operator may renice the gateway while it runs.
  attempt(() => setPriority(thread, nicenessOf(getPriority(), priority)));
}

/**
 * With autogroups, Linux shares cores among sessions first, and niceness counts only within a session. So a child that leads its
 * own session is lowered as a session; one in the gateway's session is not, as that would lower the gateway too. Linux allows
 * one such change per 100 ms on the whole machine, so a refused change is retried.
 */
function lowerSession(id: number, priority: ChildPriority, tries = SESSION_TRIES): void {
  try {
    const own = readAutogroup('self');
    if (readAutogroup(id).name === own.name) return;
    writeFileSync(`/proc/${id}/autogroup`, String(nicenessOf(own.niceness, priority)));
  } catch (error) {
    if (!hasErrorCode(error, 'EAGAIN') || tries <= 1) return;
    setTimeout(() => lowerSession(id, priority, tries - 1), SESSION_RETRY_MS).unref();
  }
}

/** For example `/autogroup-12 nice 0`. */
function readAutogroup(id: number | 'self'): { readonly name: string; readonly niceness: number } {
  const [name = '', , niceness] = readFileSync(`/proc/${id}/autogroup`, 'latin1').trim().split(' ');
  return { name, niceness: Number(niceness) };
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
