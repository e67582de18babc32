import { type CheckOutput, OutputGathering } from '../../complete-outputs.ts';
import type { AskedConversation } from '../../passthrough.ts';
import type { AnswerSink } from '../../text-engine.ts';
import type { TextEvent } from '../../text-event.ts';
import type { AskedBody } from './asked-body.ts';
import type { ToolSchemas } from './tool-schemas.ts';

export interface CheckedSinkOptions {
  readonly sink: AnswerSink;
  readonly prompt: AskedConversation;
  readonly asked: AskedBody;
  readonly toolSchemas: ToolSchemas;
  readonly check: CheckOutput;
}

/** Passes an answer on, then has its outputs checked against their schemas. */
export class CheckedSink implements AnswerSink {
  readonly #options: CheckedSinkOptions;
  readonly #gathering: OutputGathering;
  #toolSchema: ((name: string) => unknown) | undefined;

  constructor(options: CheckedSinkOptions) {
    this.#options = options;
    const { output } = options.prompt.conversation;
    this.#gathering = new OutputGathering({ output, toolSchema: (name) => this.#toolSchema?.(name) });
  }

  onEvents(events: readonly TextEvent[]): void {
    this.#gathering.add(events);
    const outputs = events.at(-1)?.type === 'finish' ? this.#gathering.outputs() : [];
    const { sink, prompt, asked, toolSchemas, check } = this.#options;
    // Before the last events, since the bytes of the request are freed with the answer.
    if (outputs.some(({ of }) => of === 'tool-arguments')) this.#toolSchema = toolSchemas.of(prompt);
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
