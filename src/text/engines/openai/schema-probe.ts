import { Fault } from '../../../faults/fault.ts';
import { isRecord, listOf, parseJson, recordOf, stringOf } from '../../../lib/json-record.ts';
import { bareConversation, type Conversation } from '../../conversation.ts';
import { buildChatFields, buildChatPrompt } from './chat-body.ts';
import { inForm, type ProbeOutcome, type SchemaForm } from './schema-forms.ts';

/** A word that no model writes by itself. */
const WORD = 'plimquonset';
const schema = {
  type: 'object',
  properties: { word: { type: 'string', enum: [WORD] } },
  required: ['word'],
  additionalProperties: false,
};
// Some are needed by models that think before they answer.
const MAXIMUM_TOKENS = 256;

/** Only the schema leads to the word. */
const question: Partial<Conversation> = {
  turns: [{ role: 'user', parts: [{ type: 'text', text: 'Say hello.' }] }],
  output: { type: 'schema', name: 'probe', schema },
};

/** A request for a short answer with a trivial schema in this form. */
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

/** Sends the probe and returns its result. */
export async function probeOutcome(ask: () => Promise<unknown>): Promise<ProbeOutcome> {
  try {
    return readProbe(await ask()) === 'held' ? 'held' : 'taken';
  } catch (error) {
    return error instanceof Fault && error.code === 'engine-refused' ? 'refused' : 'unknown';
  }
}

/** Whether the answer shows that the schema was enforced; `cut`: the answer is incomplete. */
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
