import type { Caller } from '../access/caller.ts';

/** A place taken; disposing gives it back, and so does the abort of the signal it was asked with. */
export interface ImagePermit extends AsyncDisposable {
  readonly waitedMs: number;
  /** Aborts when the place is taken away, for example because a lease ran out: stop the work. */
  readonly lost: AbortSignal;
}

/**
 * The stack-wide line in front of an image engine, over all keys and replicas. First come, first served.
 * Throws the faults `image-rate-limited` (too many submissions in the last minute), `image-queue-full`
 * (too many in flight), `image-queue-timeout` (waited too long) and `model-not-ready` (the place was lost, for example with the database).
 */
export interface ImageQueue {
  /** Counts a submission, takes a place and waits for its turn to render. The abort of the signal gives the place back. */
  enter(caller: Caller, signal: AbortSignal): Promise<ImagePermit>;
  /** How many of a stack there are at the moment. */
  standing(stackId: string): Promise<ImageStanding>;
}

/** What a stack has of images: submitted in the last minute, waiting or rendering, and rendering. */
export interface ImageStanding {
  readonly submissions: number;
  readonly inFlight: number;
  readonly rendering: number;
}
