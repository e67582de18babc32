import { toFault } from '../../faults/fault.ts';
import { ReplyCollector } from '../reply.ts';
import type { AnswerSink } from '../text-engine.ts';
import type { FinishEvent, TextEvent } from '../text-event.ts';
import { type WrittenResponse, writtenResponse } from '../wire/responses/response-object.ts';
import type { OpenedResponse } from '../wire/responses/responses-wire.ts';

type SaveResponse = (response: WrittenResponse) => Promise<void>;

/**
 * Stores a response before its client learns that it is complete: the last event is passed on only after that. It is stored even
 * if the client leaves meanwhile. If it cannot be stored, the answer fails. A stream that fails is stored as failed.
 */
export class StoredAnswer implements AnswerSink {
  readonly #opened: Pick<OpenedResponse, 'written' | 'failed'>;
  readonly #save: SaveResponse;
  readonly #sink: AnswerSink;
  readonly #collector = new ReplyCollector();

  constructor(opened: Pick<OpenedResponse, 'written' | 'failed'>, save: SaveResponse, sink: AnswerSink) {
    this.#opened = opened;
    this.#save = save;
    this.#sink = sink;
  }

  onEvents(events: readonly TextEvent[]): void {
    for (const event of events) this.#collector.add(event);
    const last = events.at(-1);
    if (last?.type !== 'finish') {
      this.#sink.onEvents(events);
      return;
    }
    if (events.length > 1) this.#sink.onEvents(events.slice(0, -1));
    void this.#finish(last);
  }

  onFailure(error: unknown): void {
    const fault = toFault(error);
    const response = this.#opened.failed(fault);
    // Whether or not the failed response can be stored, the client is told why it failed.
    const tell = () => this.#sink.onFailure(fault);
    if (response === undefined) tell();
    else void this.#save(writtenResponse(response)).then(tell, tell);
  }

  async #finish(last: FinishEvent): Promise<void> {
    try {
      await this.#save(this.#opened.written(this.#collector.reply()));
    } catch (error) {
      this.#sink.onFailure(error);
      return;
    }
    this.#sink.onEvents([last]);
  }
}
