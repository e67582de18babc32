import { Fault } from '../../../faults/fault.ts';
import { isRecord, listOf, parseJson, recordOf, stringOf } from '../../../lib/json-record.ts';
import { bareConversation, type Conversation } from '../../conversation.ts';
import { buildChatFields, buildChatPrompt } from './chat-body.ts';
import { inForm, type ProbeOutcome, type SchemaForm } from './schema-forms.ts';

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
const question: Partial<Conversation> = {
  turns: [{ role: 'user', parts: [{ type: 'text', text: 'Say hello.' }] }],
  output: { type: 'schema', name: 'probe', schema },
};

/** A request for a short answer under a schema that every server takes which takes schemas in this form. */
export function schemaProbe(model: string, form: SchemaForm, maxTokens = MAXIMUM_TOKENS): string {
  const asked = bareConversation(question, { maxTokens, temperature: 0 });
  const { conversation } = inForm({ conversation: asked }, form);
  return JSON.stringify({
    ...buildChatPrompt(conversation, false),
    ...buildChatFields(
      { conversation },
      { model, hasVision: false, defaultTemperature: 0, schemaForm: form },
    ),
  });
}

/** Asks, and says what came of it. */
export async function probeOutcome(ask: () => Promise<unknown>): Promise<ProbeOutcome> {
  try {
    return readProbe(await ask()) === 'held' ? 'held' : 'taken';
  } catch (error) {
    return error instanceof Fault && error.code === 'engine-refused' ? 'refused' : 'unknown';
  }
}

/** Whether an answer could only be written under the schema; `cut`: there was too little of it to tell. */
export function readProbe(answer: unknown): 'held' | 'taken' | 'cut' {
  try {
    const choice = recordOf(listOf(recordOf(answer)?.choices)[0]);
    if (choice?.finish_reason === 'length') return 'cut';
    return isHeld(stringOf(recordOf(choice?.message)?.content) ?? '') ? 'held' : 'taken';
  } catch {
    return 'taken';
  }
}

function isHeld(content: string): boolean {
  const value = parseJson(content);
  return isRecord(value) && value.word === WORD && Object.keys(value).length === 1;
}
