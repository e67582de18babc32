import type { Conversation } from './conversation.ts';
import { type AskedConversation, hasTools } from './passthrough.ts';
import type { FinishEvent, TextEvent } from './text-event.ts';

/** A complete answer, or the complete arguments of a tool call, that should satisfy a schema. */
export interface CompleteOutput {
  readonly of: 'answer' | 'tool-arguments';
  readonly text: string;
  readonly schema: unknown;
}

/** Receives complete outputs; must neither block nor throw. */
export type CheckOutput = (output: CompleteOutput & OutputOrigin) => void;

/** The origin of an output, and a callback for the result of its check. */
export interface OutputOrigin {
  readonly server?: string | undefined;
  readonly form?: string | undefined;
  readonly onChecked?: (fits: boolean) => void;
}

/** Longer answers are not checked. */
const MAXIMUM_CHARACTERS = 512 * 1024;
const NO_ARGUMENTS = '{}';

/** Whether any part of the answer may have to satisfy a schema. */
export function hasSchemas({ conversation, passthrough }: AskedConversation): boolean {
  return conversation.output.type === 'schema' || hasTools({ conversation, passthrough });
}

/** Collects the outputs of an answer that should satisfy a schema. */
export class OutputGathering {
  readonly #conversation: Pick<Conversation, 'output' | 'tools'>;
  readonly #calls: { readonly name: string; text: string }[] = [];
  #text = '';
  #open: 'answer' | 'call' | undefined;
  #characters = 0;
  #finish: FinishEvent | undefined;

  constructor(conversation: Pick<Conversation, 'output' | 'tools'>) {
    this.#conversation = conversation;
  }

  add(events: readonly TextEvent[]): void {
    for (const event of events) {
      if (event.type === 'block-delta') this.#addText(event.text);
      else if (event.type === 'block-start') this.#begin(event);
      else if (event.type === 'finish') this.#finish = event;
    }
  }

  /** The complete outputs: none of an answer that was cut off, and no text beside tool calls. */
  outputs(): readonly CompleteOutput[] {
    const { reason, stopSequence } = this.#finish ?? {};
    const isWhole = (reason === 'stop' || reason === 'tool-calls') && stopSequence === undefined;
    if (!isWhole || this.#characters > MAXIMUM_CHARACTERS) return [];
    if (this.#calls.length > 0) return this.#argumentsOfCalls();
    const { output } = this.#conversation;
    return output.type === 'schema' ? [{ of: 'answer', text: this.#text, schema: output.schema }] : [];
  }

  #argumentsOfCalls(): readonly CompleteOutput[] {
    const { tools } = this.#conversation;
    return this.#calls.flatMap(({ name, text }) => {
      const schema = tools.find((tool) => tool.name === name)?.parameters;
      // Some servers write nothing for a tool without arguments.
      const written = text.trim() === '' ? NO_ARGUMENTS : text;
      return schema === undefined ? [] : [{ of: 'tool-arguments', text: written, schema }];
    });
  }

  #begin({ block }: TextEvent & { readonly type: 'block-start' }): void {
    this.#open = undefined;
    if (block.type === 'tool-call') {
      this.#open = 'call';
      this.#calls.push({ name: block.name, text: '' });
    } else if (block.type === 'text' && this.#conversation.output.type === 'schema') this.#open = 'answer';
  }

  #addText(text: string): void {
    if (this.#open === undefined) return;
    this.#characters += text.length;
    if (this.#characters > MAXIMUM_CHARACTERS) return;
    if (this.#open === 'answer') this.#text += text;
    else {
      const call = this.#calls.at(-1);
      if (call !== undefined) call.text += text;
    }
  }
}
