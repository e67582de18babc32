import type { Fault } from '../faults/fault.ts';

/** Receives the bytes of a body and makes a value of them. */
export interface BodySink {
  /** Takes the next bytes, whose memory is the sink's from now on; a fault ends the reading. */
  add(chunk: Buffer): Fault | undefined;
  /** If present, the reader waits for it before it adds more. */
  readonly congestion?: Promise<void> | undefined;
  /** The cost of a byte for the thread of requests, in bytes that are only read; absent: 1. */
  readonly costPerByte?: number;
  /** Returns the value of the complete body, or fails with a fault. */
  finish(): Promise<unknown> | unknown;
  /** Discards the bytes: the rest will not come. */
  drop?(): void;
}
