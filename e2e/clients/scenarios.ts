import type { RecordedRequest, ReplyPlan } from '../../testing/fake-upstream/fake-upstream.mjs';

/** The path of chats at the model; counting uses others. */
export const chatPath = '/v1/chat/completions';
const FACTS = { city: 'Rome', degrees: 21 };

/** The model's behaviour, by the first words of the last user text. */
const PLANS: Readonly<Record<string, ReplyPlan>> = {
  'Say hello': { text: 'Hello from the model.' },
  'Think first': { reasoning: 'They greet me.', text: 'Hello after a thought.' },
  'Stop early': { text: ['one two E', 'ND three'] },
  'Compare the weather': {
    toolCalls: [
      { id: 'call_rome', name: 'weather', arguments: { city: 'Rome' } },
      { id: 'call_oslo', name: 'weather', arguments: { city: 'Oslo' } },
    ],
    interleaved: true,
  },
  'Call the tool': { toolCalls: [{ id: 'call_report', name: 'report', arguments: { ready: true } }] },
  'Search the handbook': { toolCalls: [{ name: 'file_search', arguments: { query: 'days of leave' } }] },
  'Paint a fox': { toolCalls: [{ name: 'image_generation', arguments: { prompt: 'a fox' } }] },
  'Fail at once': { fail: { mode: 'status', status: 500 } },
  'Be overloaded': { fail: { mode: 'status', status: 529 } },
  // Paced: an answer that fails before any of it was forwarded is an HTTP error instead.
  'Break midway': { text: 'Some words that are never finished.', paceMs: 250, fail: 'error-event' },
  'Never end': { text: 'Some words before the silence.', fail: 'stall-mid-stream' },
};

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly tool_choice?: unknown;
}

/** The answer to a client's request; undefined if it is not a chat. */
export function planFor({ path, body }: RecordedRequest): ReplyPlan | undefined {
  if (path !== chatPath || !isAsked(body)) return undefined;
  const results = body.messages.filter(({ role }) => role === 'tool').map(({ content }) => textOf(content));
  if (results.length > 0) return { text: `The tools say: ${results.join(', ')}` };
  const question = lastQuestion(body);
  if (question.startsWith('Give the facts')) return factsFor(body);
  return Object.entries(PLANS).find(([words]) => question.startsWith(words))?.[1];
}

/** The text of the last user message. */
export function lastQuestion(body: unknown): string {
  if (!isAsked(body)) return '';
  return textOf(body.messages.findLast(({ role }) => role === 'user')?.content);
}

/** As a call if the client insists on one, which some use for structured answers; else as JSON. */
function factsFor({ tools, tool_choice: choice }: Asked): ReplyPlan {
  const isForced = choice === 'required' || typeof choice === 'object';
  const name = tools?.[0]?.function.name;
  return isForced && name !== undefined
    ? { toolCalls: [{ name, arguments: FACTS }] }
    : { text: JSON.stringify(FACTS) };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { readonly text?: string }) => part.text ?? '').join('');
}

function isAsked(body: unknown): body is Asked {
  return typeof body === 'object' && body !== null && 'messages' in body && Array.isArray(body.messages);
}
