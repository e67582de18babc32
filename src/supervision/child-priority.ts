import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { hasErrorCode } from '../lib/error-code.ts';

/**
 * How a child's work stands back behind the gateway's own where cores are scarce: `heavy` takes long and somebody waits for it, `background`
 * is waited for by nobody. The lower one still gets its share, a third and a tenth of what the gateway's own thread does on the same core.
 */
export type ChildPriority = 'heavy' | 'background';

/** What is added to the gateway's own niceness. */
const STEPS: Readonly<Record<ChildPriority, number>> = { heavy: 5, background: 10 };
const LOWEST = 19;
const SESSION_RETRY_MS = 130;
const SESSION_TRIES = 20;

/** Lowers a process and every thread that it has; what it starts from now on inherits that. Where it may not be, it stays as it is. */
export function lowerProcess(id: number, priority: ChildPriority): void {
  // Linux lowers one thread at a time. The first one comes first: what it starts meanwhile is lowered already.
  lowerThread(id, priority);
  for (const thread of threadsOf(id)) if (thread !== id) lowerThread(thread, priority);
  lowerSession(id, priority);
}

/** Lowers one thread by the operating system's number of it. Where that may not be, it stays as it is. */
export function lowerThread(thread: number, priority: ChildPriority): void {
  // Asked for each time: an operator may change it while the gateway runs.
  attempt(() => setPriority(thread, nicenessOf(getPriority(), priority)));
}

/**
 * Where Linux has autogroups it shares cores among sessions first, and niceness counts only within a session. A child that leads a session of
 * its own is lowered as a session; one in the gateway's session would take the gateway along. Linux takes one such change every 100 ms from
 * all of the machine and refuses the others, so a refused change is tried again.
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

/** As in `/autogroup-12 nice 0`. */
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

/** Not permitted, gone already, or a system without such a thing: none of it is a reason to fail. */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
