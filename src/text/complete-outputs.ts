import type { OutputForm } from './conversation.ts';
import { type AskedConversation, hasTools } from './passthrough.ts';
import type { FinishEvent, TextEvent } from './text-event.ts';

/** A complete answer, or the complete arguments of a tool call, that should satisfy a schema. */
export interface CompleteOutput {
  readonly of: 'answer' | 'tool-arguments';
  readonly text: string;
  /** `undefined` if there turns out to be no schema. */
  readonly schema: () => unknown;
}

/** Receives complete outputs; must neither block nor throw. */
export type CheckOutput = (output: CompleteOutput & OutputOrigin) => void;

/** The origin of an output, and a callback for the result of its check. */
export interface OutputOrigin {
  readonly server?: string | undefined;
  readonly form?: string | undefined;
  readonly onChecked?: (fits: boolean) => void;
}

export interface GatheringOptions {
  readonly output: OutputForm;
  /** The schema of a tool's arguments. */
  readonly toolSchema: (name: string) => unknown;
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
  readonly #options: GatheringOptions;
  readonly #calls: { readonly name: string; text: string }[] = [];
  #text = '';
  #open: 'answer' | 'call' | undefined;
  #characters = 0;
  #finish: FinishEvent | undefined;

  constructor(options: GatheringOptions) {
    this.#options = options;
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
    const { output, toolSchema } = this.#options;
    const { reason, stopSequence } = this.#finish ?? {};
    const isWhole = (reason === 'stop' || reason === 'tool-calls') && stopSequence === undefined;
    if (!isWhole || this.#characters > MAXIMUM_CHARACTERS) return [];
    if (this.#calls.length > 0) {
      return this.#calls.map(({ name, text }) => ({
        of: 'tool-arguments',
        // Some servers write nothing for a tool without arguments.
        text: text.trim() === '' ? NO_ARGUMENTS : text,
        schema: () => toolSchema(name),
      }));
    }
    if (output.type !== 'schema') return [];
    return [{ of: 'answer', text: this.#text, schema: () => output.schema }];
  }

  #begin({ block }: TextEvent & { readonly type: 'block-start' }): void {
    this.#open = undefined;
    if (block.type === 'tool-call') {
      this.#open = 'call';
      this.#calls.push({ name: block.name, text: '' });
    } else if (block.type === 'text' && this.#options.output.type === 'schema') this.#open = 'answer';
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
