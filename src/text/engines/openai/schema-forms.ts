import { changed, type OutputForm } from '../../conversation.ts';
import type { AskedConversation } from '../../passthrough.ts';

/** How a schema is sent to a server: as OpenAI does, as older and newer vLLM do, or in the prompt. */
export type SchemaForm = 'json_schema' | 'guided_json' | 'structured_outputs' | 'json_object';

/**
 * Result of a small request with a schema of the gateway's own. `held`: the server enforced the schema. `taken`: it answered
 * without enforcing it. `unknown`: it could not be asked.
 */
export type ProbeOutcome = 'held' | 'taken' | 'refused' | 'unknown';

export interface SchemaFormsOptions {
  readonly probe: (form: SchemaForm) => Promise<ProbeOutcome>;
  readonly nowMs: () => number;
  /** Called after each series of probes with the form that works, or `undefined`. */
  readonly onFound?: (form: SchemaForm | undefined) => void;
}

/** From the strictest form to the one in the prompt. */
export const SCHEMA_FORMS: readonly SchemaForm[] = [
  'json_schema',
  'guided_json',
  'structured_outputs',
  'json_object',
];
const [USUAL_FORM] = SCHEMA_FORMS as readonly [SchemaForm];

/** How long the result of a probe is valid; the server may be restarted as another version. */
const BELIEVED_MS = 60_000;
/** When to probe again if the server could not be asked. */
const RETRY_MS = 5_000;

/**
 * The form in which one server gets schemas. A refusal is taken to be about its schema, unless the server also refuses a trivial
 * one. Another form is used only after a probe has shown that the server enforces it.
 */
export class SchemaForms {
  readonly #options: SchemaFormsOptions;
  #current = USUAL_FORM;
  #believedUntilMs = Number.NEGATIVE_INFINITY;
  #look: Promise<void> | undefined;

  constructor(options: SchemaFormsOptions) {
    this.#options = options;
  }

  /** The form in use. */
  get current(): SchemaForm {
    return this.#current;
  }

  /** The form in which to repeat a refused request; `undefined` if the form was not the cause. Never rejects. */
  async afterRefusal(form: SchemaForm): Promise<SchemaForm | undefined> {
    if (form === this.#current && !this.#isBelieved) {
      // Requests refused meanwhile wait for the same probes.
      this.#look ??= this.#lookAtServer().finally(() => {
        this.#look = undefined;
      });
      await this.#look;
    }
    return form === this.#current ? undefined : this.#current;
  }

  /** An answer in this form was checked. A mismatch may be the model's fault, so it counts only if no valid result supports the form. */
  answered(form: SchemaForm, fits: boolean): void {
    if (form !== this.#current) return;
    if (fits) this.#believe(BELIEVED_MS);
    else if (!this.#isBelieved) this.forget();
  }

  /** The server may have been replaced. */
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

  /** Looks for a form that is enforced. An accepted one proves little: many servers ignore unknown fields. */
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

/** The conversation for this form; `json_object` moves the schema into the prompt. */
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

type OutputFields = { readonly [Field in 'response_format' | 'guided_json' | 'structured_outputs']?: object };

/** The fields of a chat request for this output. */
export function outputFields(output: OutputForm, form: SchemaForm): OutputFields {
  switch (output.type) {
    case 'text':
      return {};
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
