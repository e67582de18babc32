import type { FoundPassage } from './found-passage.ts';
import type { EngineAnswer } from './text-engine.ts';
import type { StartEvent } from './text-event.ts';

/** An answer that was admitted but has not begun. */
export interface TextAnswer extends EngineAnswer {
  /** The passages of the knowledge base that the prompt quotes. */
  readonly passages: readonly FoundPassage[];
  /** The start event, for callers that cannot wait for the engine to send it; its tokens are an estimate if the count fails or the signal aborts. */
  start(signal: AbortSignal): Promise<StartEvent>;
}
