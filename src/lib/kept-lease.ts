import type { Clock } from './clock.ts';

export interface LeaseRenewal {
  readonly clock: Clock;
  /** Well below the lease, so that one late renewal does no harm. */
  readonly periodMs: number;
  renew(): Promise<unknown>;
  /** Whether a failed renewal means that another process has the lease. Other failures may pass, and are ignored. */
  isLost?(error: unknown): boolean;
}

/** A lease that is renewed until it is ended. */
export interface KeptLease {
  /** Aborts when another process has the lease. */
  readonly lost: AbortSignal;
  end(): void;
}

/** Renews a lease periodically; the first time after one period. */
export function keepLease(renewal: LeaseRenewal): KeptLease {
  const lost = new AbortController();
  let isOver = false;
  const renewLater = () =>
    renewal.clock.after(renewal.periodMs, async () => {
      await renewal.renew().catch((error: unknown) => {
        if (renewal.isLost?.(error)) lost.abort(error);
      });
      if (!isOver) timer = renewLater();
    });
  let timer = renewLater();
  return {
    lost: lost.signal,
    end: () => {
      isOver = true;
      timer.cancel();
    },
  };
}
