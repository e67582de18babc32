import type { Transferable } from 'node:worker_threads';
import type { ChildEnd } from './child-lost.ts';
import type { MessageToChild } from './messages.ts';

/** A running child, seen from its parent: a forked process, or a worker thread. */
export interface ChildPort {
  /** Absent where it is a thread of this process. */
  readonly processId?: number | undefined;
  /** Throws when the message cannot be cloned; that the child is gone is told by `ended` alone. */
  send(message: MessageToChild, transfer: readonly Transferable[]): void;
  kill(): void;
}

/** What a child's port tells; `ended` comes once and last. */
export interface ChildPortListener {
  message(message: unknown): void;
  line(line: string): void;
  ended(end: ChildEnd): void;
}

/** Starts a child; called again for each restart. */
export type LaunchChild = (listener: ChildPortListener) => ChildPort;
