import type { EngineAnswer } from './text-engine.ts';
import type { StartEvent } from './text-event.ts';

/** An answer that was accepted: it begins when it is told to. */
export interface TextAnswer extends EngineAnswer {
  /** The documents of the knowledge base that the prompt quotes. */
  readonly sources: readonly string[];
  /** Its start, for those who cannot wait until it comes by itself; where the signal aborts, its tokens are an estimate. */
  start(signal: AbortSignal): Promise<StartEvent>;
}
