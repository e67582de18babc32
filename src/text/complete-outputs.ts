import type { OutputForm } from './conversation.ts';
import { type AskedConversation, hasTools } from './passthrough.ts';
import type { FinishEvent, TextEvent } from './text-event.ts';

/** A whole answer, or the whole arguments of a tool call, that had to satisfy a schema. */
export interface CompleteOutput {
  readonly of: 'answer' | 'tool-arguments';
  readonly text: string;
  /** `undefined` where there is none after all. */
  readonly schema: () => unknown;
}

/** Hears of complete outputs; it must neither wait nor throw. */
export type CheckOutput = (output: CompleteOutput & OutputOrigin) => void;

/** Where an output comes from, and who wants to know what was found. */
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

/** Longer answers go unchecked. */
const MAXIMUM_CHARACTERS = 512 * 1024;
const NO_ARGUMENTS = '{}';

/** Whether anything of the answer may have to satisfy a schema. */
export function hasSchemas({ conversation, passthrough }: AskedConversation): boolean {
  return conversation.output.type === 'schema' || hasTools({ conversation, passthrough });
}

/** Gathers from the events of an answer what had to satisfy a schema. */
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

  /** What is complete: nothing of an answer that was cut off, and no text beside calls. */
  outputs(): readonly CompleteOutput[] {
    const { output, toolSchema } = this.#options;
    const { reason, stopSequence } = this.#finish ?? {};
    const isWhole = (reason === 'stop' || reason === 'tool-calls') && stopSequence === undefined;
    if (!isWhole || this.#characters > MAXIMUM_CHARACTERS) return [];
    if (this.#calls.length > 0) {
      return this.#calls.map(({ name, text }) => ({
        of: 'tool-arguments',
        // Some servers write nothing where a tool takes nothing.
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
