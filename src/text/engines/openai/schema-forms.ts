import { Fault } from '../../../faults/fault.ts';
import { type Conversation, changed, type OutputForm } from '../../conversation.ts';
import type { TextEvent } from '../../text-event.ts';

/** How a server is told of a schema: as OpenAI does, as older and newer vLLM do, or in words. */
export type SchemaForm = 'json_schema' | 'guided_json' | 'structured_outputs' | 'json_object';

type Batches = AsyncIterable<readonly TextEvent[]>;

const FORMS: readonly SchemaForm[] = ['json_schema', 'guided_json', 'structured_outputs', 'json_object'];

/** Finds out with the first schema in which form a server takes schemas, and remembers it. */
export class SchemaForms {
  #known: SchemaForm | undefined;

  /** The form that schemas are sent in now. */
  get current(): SchemaForm {
    return this.#known ?? 'json_schema';
  }

  /** Answers in the form that the server takes; until that is known, one that it refuses is followed by the next. */
  answer(conversation: Conversation, ask: (form: SchemaForm) => Batches): Batches {
    const form = this.formFor(conversation);
    return form === undefined ? this.#tryForms(ask) : ask(form);
  }

  /** The form for a conversation; `undefined` where it must be found out. */
  formFor({ output }: Conversation): SchemaForm | undefined {
    return output.type === 'schema' ? this.#known : this.current;
  }

  async *#tryForms(ask: (form: SchemaForm) => Batches): AsyncGenerator<readonly TextEvent[]> {
    let firstRefusal: unknown;
    for (const form of FORMS) {
      try {
        for await (const batch of ask(form)) {
          this.#known = form;
          yield batch;
        }
        return;
      } catch (error) {
        if (this.#known === form || !isRefusal(error)) throw error;
        firstRefusal ??= error;
      }
    }
    // Refused in every form: it is not the form that is wrong.
    throw firstRefusal;
  }
}

/** The conversation as it is sent in a form: where a server takes no schema, the words say it. */
export function inForm(conversation: Conversation, form: SchemaForm): Conversation {
  const { output, system } = conversation;
  if (output.type !== 'schema' || form !== 'json_object') return conversation;
  const said = `Answer only with JSON that satisfies this JSON Schema:\n${JSON.stringify(output.schema)}`;
  return changed(conversation, {
    output: { type: 'json' },
    system: system === undefined ? said : `${system}\n\n${said}`,
  });
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

function isRefusal(error: unknown): boolean {
  return error instanceof Fault && error.code === 'engine-refused';
}
