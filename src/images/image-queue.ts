import type { Caller } from '../access/caller.ts';

/** The right to render an image; disposing it, or aborting its signal, releases it. */
export interface ImagePermit extends AsyncDisposable {
  readonly waitedMs: number;
  /** Aborts if the permit is lost, for example because its lease expired: stop the work. */
  readonly lost: AbortSignal;
}

/**
 * The queue of a stack for an image engine, across all keys and replicas. First come, first served. Throws `image-rate-limited`
 * (too many submissions in the last minute), `image-queue-full` (too many in flight), `image-queue-timeout` (waited too long)
 * and `model-not-ready` (the permit was lost, for example with the database).
 */
export interface ImageQueue {
  /** Counts a submission, joins the queue and waits until it may render. Aborting the signal leaves the queue. */
  enter(caller: Caller, signal: AbortSignal): Promise<ImagePermit>;
  standing(stackId: string): Promise<ImageStanding>;
}

/** Images of a stack: submitted in the last minute, waiting or rendering, and rendering. */
export interface ImageStanding {
  readonly submissions: number;
  readonly inFlight: number;
  readonly rendering: number;
}
