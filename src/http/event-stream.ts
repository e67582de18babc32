import type { Fault } from '../faults/fault.ts';

/** Server-sent events, made by a capability and sent by the one loop in `send-event-stream.ts`. */
export interface EventStream {
  /** Texts to send, several events in one where they came together. An empty one opens nothing. Failure is thrown. */
  readonly pieces: AsyncIterable<string>;
  /**
   * What the stream must begin with, where its format wants that: asked for when nothing has come for a while, and when
   * the work failed before anything came. Empty where the stream has begun by itself. The signal ends all waiting; it never rejects.
   */
  readonly begin?: ((signal: AbortSignal) => Promise<string>) | undefined;
  /** What keeps an idle stream alive. */
  readonly ping: () => string;
  /** What ends a stream that failed after it was opened. */
  readonly fail: (fault: Fault) => string;
}
