import { Fault } from '../../../faults/fault.ts';
import { isRecord, listOf, parseJson, recordOf, stringOf } from '../../../upstream/json-record.ts';
import type { JsonBytes } from '../../../upstream/upstream-exchange.ts';
import type { Conversation } from '../../conversation.ts';
import { inForm, type ProbeOutcome, type SchemaForm } from './schema-forms.ts';
import { writeBody } from './written-body.ts';

/** No model says it of its own accord. */
const WORD = 'plimquonset';
const schema = {
  type: 'object',
  properties: { word: { type: 'string', enum: [WORD] } },
  required: ['word'],
  additionalProperties: false,
};
// A model that thinks before it answers needs some of them for that.
const MAXIMUM_TOKENS = 256;

/** Nothing in it leads to the word but the schema. */
const question: Conversation = {
  system: undefined,
  turns: [{ role: 'user', parts: [{ type: 'text', text: 'Say hello.' }] }],
  tools: [],
  toolChoice: 'auto',
  parallelToolCalls: true,
  output: { type: 'schema', name: 'probe', schema },
  sampling: {
    maxTokens: MAXIMUM_TOKENS,
    temperature: 0,
    topP: undefined,
    topK: undefined,
    stop: [],
    seed: undefined,
    presencePenalty: undefined,
    frequencyPenalty: undefined,
  },
  templateArguments: {},
};

/** A request for a short answer under a schema that every server takes which takes schemas in this form. */
export function schemaProbe(model: string, form: SchemaForm): string | JsonBytes {
  const settings = { model, hasVision: false, defaultTemperature: 0, schemaForm: form };
  return writeBody(inForm(question, form), settings).whole();
}

/** Asks, and says what came of it. */
export async function probeOutcome(ask: () => Promise<unknown>): Promise<ProbeOutcome> {
  try {
    return isHeld(await ask()) ? 'held' : 'taken';
  } catch (error) {
    return error instanceof Fault && error.code === 'engine-refused' ? 'refused' : 'unknown';
  }
}

/** Whether the answer to a probe could only be written under its schema. */
export function isHeld(answer: unknown): boolean {
  try {
    const [choice] = listOf(recordOf(answer)?.choices);
    const content = stringOf(recordOf(recordOf(choice)?.message)?.content) ?? '';
    const value = parseJson(content);
    return isRecord(value) && value.word === WORD && Object.keys(value).length === 1;
  } catch {
    return false;
  }
}
