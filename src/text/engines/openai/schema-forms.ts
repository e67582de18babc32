import { changed, type OutputForm } from '../../conversation.ts';
import type { AskedConversation } from '../../passthrough.ts';

/** How a server is told of a schema: as OpenAI does, as older and newer vLLM do, or in words. */
export type SchemaForm = 'json_schema' | 'guided_json' | 'structured_outputs' | 'json_object';

/**
 * What came of a small question under a schema of the gateway's own. `held`: the answer could only be written under it.
 * `taken`: there was an answer, but no such one. `unknown`: the server could not be asked.
 */
export type ProbeOutcome = 'held' | 'taken' | 'refused' | 'unknown';

/** What is found out about a server is made of. */
export interface SchemaFormsOptions {
  readonly probe: (form: SchemaForm) => Promise<ProbeOutcome>;
  readonly nowMs: () => number;
  /** Told after each look at the server: its form, or that it takes schemas in none. */
  readonly onFound?: (form: SchemaForm | undefined) => void;
}

/** From the strictest to the one in words. */
export const SCHEMA_FORMS: readonly SchemaForm[] = [
  'json_schema',
  'guided_json',
  'structured_outputs',
  'json_object',
];
const [USUAL_FORM] = SCHEMA_FORMS as readonly [SchemaForm];

/** How long what was seen of a server is believed; it may be started again as another version. */
const BELIEVED_MS = 60_000;
/** How soon a server is asked again that could not be asked. */
const RETRY_MS = 5_000;

/**
 * In which form one server is sent schemas. A refusal is about its schema, until the server refuses a schema that none
 * refuses; and another form is only used once an answer under it has shown that the server holds answers to it.
 */
export class SchemaForms {
  readonly #options: SchemaFormsOptions;
  #current = USUAL_FORM;
  #believedUntilMs = Number.NEGATIVE_INFINITY;
  #look: Promise<void> | undefined;

  constructor(options: SchemaFormsOptions) {
    this.#options = options;
  }

  /** The form that schemas are sent in now. */
  get current(): SchemaForm {
    return this.#current;
  }

  /** The form in which a refused request is worth sending again; `undefined` where the form was not to blame. Never rejects. */
  async afterRefusal(form: SchemaForm): Promise<SchemaForm | undefined> {
    if (form === this.#current && !this.#isBelieved) {
      // Those who are refused meanwhile wait for the same look.
      this.#look ??= this.#lookAtServer().finally(() => {
        this.#look = undefined;
      });
      await this.#look;
    }
    return form === this.#current ? undefined : this.#current;
  }

  /** An answer under a form was checked. One that does not fit may be the model's doing: it counts where nothing speaks for the form. */
  answered(form: SchemaForm, fits: boolean): void {
    if (form !== this.#current) return;
    if (fits) this.#believe(BELIEVED_MS);
    else if (!this.#isBelieved) this.forget();
  }

  /** The server may be another one now. */
  forget(): void {
    this.#current = USUAL_FORM;
    this.#believedUntilMs = Number.NEGATIVE_INFINITY;
  }

  get #isBelieved(): boolean {
    return this.#options.nowMs() < this.#believedUntilMs;
  }

  #believe(durationMs: number): void {
    this.#believedUntilMs = this.#options.nowMs() + durationMs;
  }

  async #lookAtServer(): Promise<void> {
    const first = await this.#options.probe(this.#current);
    if (first !== 'refused') {
      this.#believe(first === 'unknown' ? RETRY_MS : BELIEVED_MS);
      return;
    }
    const { found, isSure } = await this.#otherForm();
    this.#current = found ?? USUAL_FORM;
    this.#believe(isSure ? BELIEVED_MS : RETRY_MS);
    this.#options.onFound?.(found);
  }

  /** Whether the server merely takes another form says little: many leave out what they do not know. */
  async #otherForm(): Promise<{ readonly found: SchemaForm | undefined; readonly isSure: boolean }> {
    let isSure = true;
    for (const form of SCHEMA_FORMS) {
      if (form === this.#current) continue;
      const outcome = await this.#options.probe(form);
      if (outcome === 'held') return { found: form, isSure: true };
      isSure &&= outcome !== 'unknown';
    }
    return { found: undefined, isSure };
  }
}

/** The conversation as it is sent in a form: where a server takes no schema, the words say it. */
export function inForm(asked: AskedConversation, form: SchemaForm): AskedConversation {
  const { conversation } = asked;
  const { output, system } = conversation;
  if (output.type !== 'schema' || form !== 'json_object') return asked;
  const said = `Answer only with JSON that satisfies this JSON Schema:\n${JSON.stringify(output.schema)}`;
  const changes = {
    output: { type: 'json' },
    system: system === undefined ? said : `${system}\n\n${said}`,
  } as const;
  return { conversation: changed(conversation, changes), passthrough: asked.passthrough };
}

/** What a chat request says of the form of its answer. */
interface OutputFields {
  readonly response_format?: object;
  readonly guided_json?: object;
  readonly structured_outputs?: object;
}

const FREE: OutputFields = {};

/** The fields of a chat request that hold its answer to a form. */
export function outputFields(output: OutputForm, form: SchemaForm): OutputFields {
  switch (output.type) {
    case 'text':
      return FREE;
    case 'json':
      return { response_format: { type: 'json_object' } };
    case 'schema': {
      const { name, schema } = output;
      if (form === 'guided_json') return { guided_json: schema };
      if (form === 'structured_outputs') return { structured_outputs: { json: schema } };
      return { response_format: { type: 'json_schema', json_schema: { name, schema, strict: true } } };
    }
  }
}
