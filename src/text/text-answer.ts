import type { EngineAnswer } from './text-engine.ts';
import type { StartEvent } from './text-event.ts';

/** An answer that was admitted but has not begun. */
export interface TextAnswer extends EngineAnswer {
  /** Ids of the documents that the prompt quotes. */
  readonly sources: readonly string[];
  /** The start event, for callers that cannot wait for the engine to send it; its tokens are an estimate if the count fails or the signal aborts. */
  start(signal: AbortSignal): Promise<StartEvent>;
}
