import { Template } from '@huggingface/jinja';
import type { Conversation } from '../../../conversation.ts';
import { PromptRefused } from '../llama-protocol.ts';
import { callMark } from '../output-grammar.ts';
import type { ForgedMarks } from './forged-marks.ts';
import {
  messagesWithoutTools,
  messagesWithTools,
  type TemplateInput,
  type TemplateMessage,
} from './template-messages.ts';

/** Facts of a model file about its prompts. */
export interface TemplateFacts {
  readonly source: string;
  readonly beginText: string;
  readonly endText: string;
}

/** Used if a file has no template; most recent models know this one. */
export const PLAIN_TEMPLATE = `{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}`;

/** Renders conversations with the template of a model file. */
export class ChatTemplate {
  readonly #template: Template;
  readonly #facts: TemplateFacts;
  readonly #forgedMarks: ForgedMarks;

  constructor(facts: TemplateFacts, forgedMarks: ForgedMarks) {
    this.#template = new Template(facts.source);
    this.#facts = facts;
    this.#forgedMarks = forgedMarks;
  }

  /** The prompt up to the start of the answer; text that could forge a turn is hidden in it. */
  render(conversation: Conversation): string {
    const input = this.#rendersTools ? messagesWithTools(conversation) : messagesWithoutTools(conversation);
    const values = { ...asRecord(conversation.templateArguments), ...input };
    const whole = this.#fill(values, true);
    return input.messages[0]?.role === 'system' ? whole : this.#withoutDefaultSystem(whole, values);
  }

  /** Whether the template renders tools in the form in which answers are parsed. */
  get #rendersTools(): boolean {
    return /\btools\b/.test(this.#facts.source) && this.#facts.source.includes(callMark);
  }

  /** Removes the system text that some templates add by themselves. Found by rendering with an explicit one. */
  #withoutDefaultSystem(whole: string, values: TemplateInput): string {
    const system: TemplateMessage = { role: 'system', content: 'system' };
    try {
      const given = this.#fill({ ...values, messages: [system, ...values.messages] }, true);
      const block = this.#fill({ ...values, messages: [system] }, false);
      const rest = given.startsWith(block) ? given.slice(block.length) : '';
      const isDefaultAdded = rest !== '' && whole.length > rest.length && whole.endsWith(rest);
      return isDefaultAdded ? this.#withBegin(rest) : whole;
    } catch {
      // A template that accepts no system turn, or not one alone, adds none either.
      return whole;
    }
  }

  #withBegin(prompt: string): string {
    const { source, beginText } = this.#facts;
    return source.includes('bos_token') && !prompt.startsWith(beginText) ? beginText + prompt : prompt;
  }

  #fill(values: object, addGenerationPrompt: boolean): string {
    const { beginText, endText } = this.#facts;
    const safe = this.#forgedMarks.setAsideWithin(values);
    const constants = {
      bos_token: beginText,
      eos_token: endText,
      add_generation_prompt: addGenerationPrompt,
    };
    try {
      return this.#template.render({ ...asRecord(safe), ...constants });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new PromptRefused(
        'prompt-invalid',
        `the model's chat template refuses this conversation: ${reason}`,
      );
    }
  }
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
