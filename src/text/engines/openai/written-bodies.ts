import type { Conversation } from '../../conversation.ts';
import type { AskedConversation } from '../../passthrough.ts';
import type { ChatBodySettings } from './chat-body.ts';
import { inForm, type SchemaForm } from './schema-forms.ts';
import { type WrittenBody, writeBody } from './written-body.ts';
import { WrittenFields } from './written-fields.ts';

interface FormedBody {
  readonly form: SchemaForm;
  readonly body: WrittenBody;
}

/** The request bodies of an engine: each is written once per form, then measured, counted and sent. */
export class WrittenBodies {
  readonly #settings: Omit<ChatBodySettings, 'schemaForm'>;
  readonly #fields = new WrittenFields();
  readonly #written = new WeakMap<Conversation, FormedBody>();
  /** The last one that is cheap to write again: found faster than in a weak map, whose entries also keep the garbage collector busy. */
  #latest: (FormedBody & { readonly conversation: Conversation }) | undefined;

  constructor(settings: Omit<ChatBodySettings, 'schemaForm'>) {
    this.#settings = settings;
  }

  of(prompt: AskedConversation, form: SchemaForm): WrittenBody {
    const { conversation, passthrough } = prompt;
    const isLatest = this.#latest?.conversation === conversation;
    const known = isLatest ? this.#latest : this.#written.get(conversation);
    if (known?.form === form) return known.body;
    const { model, hasVision, defaultTemperature } = this.#settings;
    const settings = { model, hasVision, defaultTemperature, schemaForm: form };
    const body = writeBody(inForm(prompt, form), settings, this.#fields);
    if (passthrough !== undefined || body.isShort) this.#latest = { conversation, form, body };
    else this.#written.set(conversation, { form, body });
    return body;
  }
}
