import { unusable } from '../upstream/engine-faults.ts';
import type { AnswerSink, EngineAnswer } from './text-engine.ts';
import type { TextEvent } from './text-event.ts';

/** Sends the events of an async iterable to a sink, and pulls more only while the sink wants them. */
export class PulledAnswer implements EngineAnswer {
  readonly #pull: (signal: AbortSignal) => AsyncIterable<readonly TextEvent[]>;
  readonly #sink: AnswerSink;
  readonly #stopping = new AbortController();
  #isFlowing = true;
  #resume: () => void = () => {};

  constructor(pull: (signal: AbortSignal) => AsyncIterable<readonly TextEvent[]>, sink: AnswerSink) {
    this.#pull = pull;
    this.#sink = sink;
  }

  begin(): void {
    void this.#tellAll();
  }

  stop(): void {
    this.#stopping.abort(new Error('the answer is not wanted any more'));
    this.#resume();
  }

  setFlowing(isFlowing: boolean): void {
    this.#isFlowing = isFlowing;
    if (isFlowing) this.#resume();
  }

  async #tellAll(): Promise<void> {
    const { signal } = this.#stopping;
    let isWhole = false;
    try {
      for await (const batch of this.#pull(signal)) {
        if (signal.aborted) return;
        isWhole = batch.at(-1)?.type === 'finish';
        this.#sink.onEvents(batch);
        // Stopped by the sink: `stop` has already called `#resume`, so waiting would never end.
        if (signal.aborted) return;
        if (!this.#isFlowing) await new Promise<void>((resolve) => (this.#resume = resolve));
        if (signal.aborted) return;
      }
      if (!isWhole) throw unusable(new Error('the engine ended without a finish event'));
    } catch (error) {
      if (!signal.aborted) this.#sink.onFailure(error);
    }
  }
}
