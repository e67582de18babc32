import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnreachable, isDatabaseAway } from './database-errors.ts';

const RETRY_MS = 1_000;
const TELL_EVERY = 10;

export interface ReachableOptions {
  /** Tells the operator why the start takes long. */
  readonly announce: (message: string) => void;
  readonly signal: AbortSignal;
  readonly retryMs?: number;
}

/** Does work of the start that needs the database: while it is away, the work is retried. */
export async function whenReachable<Result>(
  work: () => Promise<Result>,
  { announce, signal, retryMs = RETRY_MS }: ReachableOptions,
): Promise<Result> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      if (attempt % TELL_EVERY === 0) announce(`waiting for the database: ${reasonOf(error)}`);
      await sleep(retryMs, undefined, { signal }).catch(() => {
        throw new DatabaseUnreachable(`the database cannot be reached: ${reasonOf(error)}`);
      });
    }
  }
}

// The message of a connection error names host and port, which the operator needs, and no password.
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
