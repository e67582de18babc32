import type { Fault } from '../faults/fault.ts';

/** What becomes of the bytes of a body. */
export interface BodySink {
  /** Takes the next bytes; a fault ends the reading. */
  add(chunk: Buffer): Fault | undefined;
  /** Something to wait for before more bytes are taken. */
  readonly congestion?: Promise<void> | undefined;
  /** All bytes have come: what they mean. Rejects with a fault where they mean nothing. */
  finish(): Promise<unknown> | unknown;
  /** The rest will not come. */
  drop?(): void;
}
