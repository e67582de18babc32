import type { Clock } from '../lib/clock.ts';
import type { BackoffPolicy } from './backoff.ts';
import type { LaunchChild } from './child-port.ts';
import type { ChildPriority } from './child-priority.ts';
import type { ChildLoss, ChildPatience, ChildRunOptions } from './child-run.ts';

/** When a child in good health is replaced by a fresh one. */
export interface RecyclePolicy {
  readonly afterRequests?: number;
  readonly overMemoryBytes?: number;
  /** `before`: the fresh one starts while the old one still serves, so for a while there are two. */
  readonly freshStarts: 'before' | 'after';
}

/** What is told of a child while it is kept alive, for logs and metrics. */
export type ChildEvent =
  | { readonly type: 'child-line'; readonly line: string }
  | { readonly type: 'child-ready' }
  | { readonly type: 'child-end'; readonly loss: ChildLoss };

/** What to run, and how it is kept alive. */
export interface SupervisedOptions {
  /** Names the child in errors. */
  readonly name: string;
  readonly launch: LaunchChild;
  readonly patience: ChildPatience;
  /** Absent: the gateway's own. */
  readonly priority?: ChildPriority;
  /** How many requests the child is given at a time. */
  readonly concurrency: number;
  readonly maxWaiting: number;
  /** How many requests of one stack may wait; absent: as many as in all. */
  readonly maxWaitingPerStack?: number;
  /** How many batches of one stream may wait for their reader. */
  readonly streamWindow: number;
  /** Without work for this long it is stopped until the next request; absent, it stays. */
  readonly idleMs?: number;
  readonly recycle?: RecyclePolicy;
  readonly backoff?: BackoffPolicy;
  readonly observe?: (event: ChildEvent) => void;
  readonly clock?: Clock;
  readonly cpuMsOf?: ChildRunOptions['cpuMsOf'];
  readonly random?: () => number;
}
