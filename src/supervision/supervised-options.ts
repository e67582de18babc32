import type { Clock } from '../lib/clock.ts';
import type { BackoffPolicy } from './backoff.ts';
import type { LaunchChild } from './child-port.ts';
import type { ChildPriority } from './child-priority.ts';
import type { ChildLoss, ChildPatience, ChildRunOptions } from './child-run.ts';

/** When a healthy child is replaced. */
export interface RecyclePolicy {
  readonly afterRequests?: number;
  readonly overMemoryBytes?: number;
  /** `before`: the new child starts while the old one still serves, so for a while there are two. */
  readonly freshStarts: 'before' | 'after';
}

/** Events of a supervised child, for logs and metrics. */
export type ChildEvent =
  | { readonly type: 'child-line'; readonly line: string }
  | { readonly type: 'child-ready' }
  | { readonly type: 'child-end'; readonly loss: ChildLoss };

export interface SupervisedOptions {
  /** For errors. */
  readonly name: string;
  readonly launch: LaunchChild;
  readonly patience: ChildPatience;
  /** Absent: the gateway's own. */
  readonly priority?: ChildPriority;
  /** Concurrent requests per child. */
  readonly concurrency: number;
  readonly maxWaiting: number;
  /** Waiting requests per stack; absent: only the total bound. */
  readonly maxWaitingPerStack?: number;
  /** Unread batches per stream. */
  readonly streamWindow: number;
  /** Stopped after this long without work, until the next request; absent: never. */
  readonly idleMs?: number;
  readonly recycle?: RecyclePolicy;
  readonly backoff?: BackoffPolicy;
  readonly observe?: (event: ChildEvent) => void;
  readonly clock?: Clock;
  readonly cpuMsOf?: ChildRunOptions['cpuMsOf'];
  readonly random?: () => number;
}
