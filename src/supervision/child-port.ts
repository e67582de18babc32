import type { Transferable } from 'node:worker_threads';
import type { ChildEnd } from './child-lost.ts';
import type { MessageToChild } from './messages.ts';

/** A running child as seen by its parent: a forked process or a worker thread. */
export interface ChildPort {
  /** Absent for a thread. */
  readonly processId?: number | undefined;
  /** Throws if the message cannot be cloned; a dead child is reported by `ended` only. */
  send(message: MessageToChild, transfer: readonly Transferable[]): void;
  kill(): void;
}

/** Events of a child; `ended` comes once and last. */
export interface ChildPortListener {
  message(message: unknown): void;
  line(line: string): void;
  ended(end: ChildEnd): void;
}

/** Starts a child; called again for each restart. */
export type LaunchChild = (listener: ChildPortListener) => ChildPort;
