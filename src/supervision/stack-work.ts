import type { SpanParent } from '../telemetry/request-trace.ts';

/** The stack that work is for, which decides whose turn it is, and the signal that ends it. */
export interface StackWork {
  readonly stackId: string;
  readonly signal: AbortSignal;
  /** Waits in queues become parts of it. Absent: the work is not traced. */
  readonly span?: SpanParent | undefined;
}
