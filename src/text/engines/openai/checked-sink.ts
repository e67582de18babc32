import { type CheckOutput, OutputGathering } from '../../complete-outputs.ts';
import type { Conversation } from '../../conversation.ts';
import type { AnswerSink } from '../../text-engine.ts';
import type { TextEvent } from '../../text-event.ts';
import type { AskedBody } from './asked-body.ts';

export interface CheckedSinkOptions {
  readonly sink: AnswerSink;
  readonly conversation: Conversation;
  readonly asked: AskedBody;
  readonly check: CheckOutput;
}

/** Passes an answer on, then has its outputs checked against their schemas. */
export class CheckedSink implements AnswerSink {
  readonly #options: CheckedSinkOptions;
  readonly #gathering: OutputGathering;

  constructor(options: CheckedSinkOptions) {
    this.#options = options;
    this.#gathering = new OutputGathering(options.conversation);
  }

  onEvents(events: readonly TextEvent[]): void {
    this.#gathering.add(events);
    // Before the last events, since the bytes of the request are freed with the answer.
    const outputs = events.at(-1)?.type === 'finish' ? this.#gathering.outputs() : [];
    const { sink, asked, check } = this.#options;
    sink.onEvents(events);
    for (const output of outputs) {
      const { server, form } = asked;
      if (output.of === 'tool-arguments') check({ ...output, server });
      else check({ ...output, server, form, onChecked: (fits) => asked.checked(fits) });
    }
  }

  onFailure(error: unknown): void {
    this.#options.sink.onFailure(error);
  }
}
