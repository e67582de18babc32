import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ReplyPlan } from '../../testing/fake-upstream/fake-upstream.mjs';
import { makePng } from '../../testing/fake-upstream/make-png.mjs';
import { plainBody, textCallers, plainTurn as user } from '../../testing/text/plain-requests.ts';
import { streamData, streamEvents } from '../../testing/text/stream-events.ts';
import { TextGateway } from '../../testing/text/text-gateway.ts';

const data = makePng({ width: 3, height: 2 }).toString('base64');
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
const imageUrl = { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } };
const look = { name: 'look', description: 'Looks.', input_schema: { type: 'object' } };
const sentLook = {
  type: 'function',
  function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } },
};
const zero = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

let gateway: TextGateway;
let seeing: TextGateway;
beforeAll(async () => {
  gateway = await TextGateway.start({ callers: textCallers });
  seeing = await TextGateway.start({ callers: textCallers, engine: { vision: true } });
});
afterEach(async () => {
  await gateway.untilIdle();
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await seeing[Symbol.asyncDispose]();
});

interface Row {
  readonly name: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  /** The fields that differ from the plain body. */
  readonly sent?: Readonly<Record<string, unknown>>;
  readonly key?: string;
}

const text = (words: string) => ({ type: 'text', text: words });
const withSystem = (content: string) => ({ messages: [{ role: 'system', content }, user] });
const reminder = (words: string) => `<system-reminder>\n${words}\n</system-reminder>`;
const optional = [
  'system',
  'stream',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'tools',
  'tool_choice',
];
const schema = { type: 'object', properties: {} };
const kind = { key: 'sk-prompt', temperature: 0.2 };
const called = [
  user,
  {
    role: 'assistant',
    content: [text('Looking.'), { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 1 } }],
  },
];
const sentCalled = [
  user,
  {
    role: 'assistant',
    content: 'Looking.',
    tool_calls: [{ id: 'toolu_1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } }],
  },
];
const result = (content: unknown, more: object = {}) => ({
  role: 'user',
  content: [{ tool_use_id: 'toolu_1', type: 'tool_result', content, ...more }],
});
const sentResult = (content: string) => ({ role: 'tool', tool_call_id: 'toolu_1', content });

const rows: readonly Row[] = [
  { name: 'nothing but what is needed', fields: { max_tokens: undefined } },
  { name: 'null for every optional field', fields: Object.fromEntries(optional.map((name) => [name, null])) },
  { name: 'max_tokens under the floor', fields: { max_tokens: 1 } },
  { name: 'max_tokens within', fields: { max_tokens: 12_000 }, sent: { max_tokens: 12_000 } },
  { name: 'max_tokens over the ceiling', fields: { max_tokens: 64_000 }, sent: { max_tokens: 16_000 } },
  {
    name: 'temperature, top_p and top_k',
    fields: { temperature: 2, top_p: 0.5, top_k: 40 },
    sent: { temperature: 2, top_p: 0.5, top_k: 40 },
  },
  {
    name: 'stop_sequences',
    fields: { stop_sequences: ['a', 'b', 'c', 'd'] },
    sent: { stop: ['a', 'b', 'c', 'd'] },
  },
  { name: 'tools', fields: { tools: [look] }, sent: { tools: [sentLook] } },
  { name: 'no tools', fields: { tools: [], tool_choice: { type: 'any' } } },
  { name: 'a tool of the vendor', fields: { tools: [{ type: 'web_search_20250305', name: 'web_search' }] } },
  {
    name: 'tool_choice auto',
    fields: { tools: [look], tool_choice: { type: 'auto' } },
    sent: { tools: [sentLook] },
  },
  {
    name: 'tool_choice any',
    fields: { tools: [look], tool_choice: { type: 'any', disable_parallel_tool_use: true } },
    sent: { tools: [sentLook], tool_choice: 'required', parallel_tool_calls: false },
  },
  {
    name: 'tool_choice none',
    fields: { tools: [look], tool_choice: { type: 'none' } },
    sent: { tools: [sentLook], tool_choice: 'none' },
  },
  {
    name: 'tool_choice of a tool',
    fields: { tools: [look], tool_choice: { type: 'tool', name: 'look' } },
    sent: { tools: [sentLook], tool_choice: { type: 'function', function: { name: 'look' } } },
  },
  {
    name: 'output_config.format',
    fields: { output_config: { effort: 'high', format: { type: 'json_schema', schema } } },
    sent: {
      response_format: { type: 'json_schema', json_schema: { name: 'output', schema, strict: true } },
    },
  },
  {
    name: 'unknown fields and blocks of newer clients',
    fields: {
      metadata: { user_id: 'u' },
      thinking: { type: 'enabled', budget_tokens: 5 },
      context_management: {},
      service_tier: 'auto',
      n: 3,
      messages: [
        { role: 'user', content: [{ ...text('Say hello.'), cache_control: {}, citations: [] }], extra: 1 },
      ],
      tools: [{ ...look, cache_control: {}, defer_loading: true, input_examples: [] }],
    },
    sent: { tools: [sentLook] },
  },
  {
    name: 'the prompt and temperature of the stack',
    key: kind.key,
    sent: { ...withSystem('Be kind.'), temperature: 0.2 },
  },
  {
    name: 'a system text instead of the stack’s prompt',
    key: kind.key,
    fields: { system: 'Be rude.' },
    sent: { ...withSystem('Be rude.'), temperature: 0.2 },
  },
  {
    name: 'system blocks instead of the stack’s prompt, without the line that changes',
    key: kind.key,
    fields: {
      system: [
        text('x-anthropic-billing-header: v=1;'),
        { ...text('One.'), cache_control: {} },
        text('Two.'),
      ],
    },
    sent: { ...withSystem('One.\n\nTwo.'), temperature: 0.2 },
  },
  {
    name: 'an empty system text instead of the stack’s prompt',
    key: kind.key,
    fields: { system: '' },
    sent: { ...withSystem(''), temperature: 0.2 },
  },
  {
    name: 'a system entry among the messages, which replaces nothing',
    key: kind.key,
    fields: { messages: [user, { role: 'system', content: 'Mind the gap.', output_config: {} }] },
    sent: {
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: `Say hello.\n${reminder('Mind the gap.')}` },
      ],
      temperature: 0.2,
    },
  },
  {
    name: 'thinking in the history',
    fields: {
      messages: [
        user,
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm', signature: 's' },
            { type: 'redacted_thinking', data: 'x' },
            text('Hi.'),
          ],
        },
        user,
      ],
    },
    sent: { messages: [user, { role: 'assistant', content: 'Hi.' }, user] },
  },
  {
    name: 'a tool result',
    fields: { messages: [...called, result('a tree')] },
    sent: { messages: [...sentCalled, sentResult('a tree')] },
  },
  {
    name: 'a tool result without content',
    fields: { messages: [...called, result(undefined)] },
    sent: { messages: [...sentCalled, sentResult('')] },
  },
  {
    name: 'a tool result that is an error',
    fields: { messages: [...called, result([text('no such place')], { is_error: true })] },
    sent: { messages: [...sentCalled, sentResult('[The tool reported an error]\nno such place')] },
  },
  {
    name: 'an image that the model cannot see',
    fields: { messages: [{ role: 'user', content: [text('What is this?'), image] }] },
    sent: { messages: [{ role: 'user', content: 'What is this?\n[image: PNG 3×2]' }] },
  },
  {
    name: 'a tool result with an image that the model cannot see',
    fields: { messages: [...called, result([text('seen'), image])] },
    sent: { messages: [...sentCalled, sentResult('seen\n[image: PNG 3×2]')] },
  },
];

describe('the upstream request of a messages request', () => {
  it.each(rows)('with $name', async ({ fields, sent, key }) => {
    const answer = await gateway.messages(fields, key).answer();
    expect(answer.status, answer.body).toBe(200);
    expect(gateway.lastBody).toEqual({ ...plainBody, ...sent });
  });

  it('has images where the model sees, those of tool results after them', async () => {
    await seeing.messages({ messages: [{ role: 'user', content: [text('What?'), image] }] }).answer();
    expect(seeing.lastBody.messages).toEqual([{ role: 'user', content: [text('What?'), imageUrl] }]);
    await seeing.messages({ messages: [...called, result([text('seen'), image])] }).answer();
    expect(seeing.lastBody.messages).toEqual([
      ...sentCalled,
      sentResult('seen\n[image: follows]'),
      { role: 'user', content: [imageUrl] },
    ]);
  });
});

describe('a messages request', () => {
  it.each([
    ['no model', { model: undefined }, 'model'],
    ['no messages', { messages: undefined }, 'messages'],
    ['empty messages', { messages: [] }, 'messages'],
    ['an unknown role', { messages: [{ role: 'tool', content: '' }] }, 'messages[0].role'],
    ['five stop sequences', { stop_sequences: ['a', 'b', 'c', 'd', 'e'] }, 'stop_sequences'],
    ['a temperature over 2', { temperature: 2.1 }, 'temperature'],
    ['top_p 0', { top_p: 0 }, 'top_p'],
    ['max_tokens as text', { max_tokens: '8000' }, 'max_tokens'],
    ['half a token', { max_tokens: 8000.5 }, 'max_tokens'],
  ])(
    'with %s is refused, streamed or not, and asks nothing of the upstream',
    async (_name, fields, named) => {
      const asked = gateway.upstream.totalRequests;
      for (const stream of [true, false]) {
        const answer = await gateway.messages({ ...fields, stream }).answer();
        expect(answer.status).toBe(400);
        expect(JSON.parse(answer.body)).toEqual({
          type: 'error',
          error: { type: 'invalid_request_error', message: expect.stringContaining(`\`${named}\``) },
          request_id: answer.headers['request-id'],
        });
      }
      expect(gateway.upstream.totalRequests).toBe(asked);
    },
  );
});

/** Answers a plan whole and streamed; returns both answers. */
async function bothWays(plan: ReplyPlan, fields: Readonly<Record<string, unknown>> = {}) {
  gateway.upstream.respond(plan, plan);
  const whole = JSON.parse((await gateway.messages(fields).answer()).body);
  const { body } = await gateway.messages({ ...fields, stream: true }).answer();
  return { whole, events: streamData(body), names: streamEvents(body).map(({ name }) => name) };
}

const usage = (input: number, output: number) => ({ input_tokens: input, output_tokens: output, ...zero });

describe('an answer of messages', () => {
  it('has the shape of the format, and names the first model', async () => {
    const { whole, events, names } = await bothWays({ text: 'Hello there' }, { model: 'anything' });
    const message = {
      id: expect.stringMatching(/^msg_[0-9a-f]{24}$/),
      type: 'message',
      role: 'assistant',
      model: 'tiny',
    };
    expect(whole).toEqual({
      ...message,
      content: [text('Hello there')],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: usage(9, 3),
    });
    const started = { ...message, content: [], stop_reason: null, stop_sequence: null, usage: usage(9, 0) };
    expect(events).toEqual([
      { type: 'message_start', message: started },
      { type: 'content_block_start', index: 0, content_block: text('') },
      ...['Hell', 'o th', 'ere'].map((words) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text: words },
      })),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: usage(9, 3) },
      { type: 'message_stop' },
    ]);
    expect(names).toEqual(events.map(({ type }) => type));
  });

  it('never returns a stop sequence, also when it comes in pieces, and names it', async () => {
    const plan = { text: ['Hello E', 'N', 'D and more'] };
    const { whole, events } = await bothWays(plan, { stop_sequences: ['END'] });
    const stopped = { stop_reason: 'stop_sequence', stop_sequence: 'END' };
    expect(whole).toMatchObject({ content: [text('Hello ')], ...stopped });
    expect(events.at(-2)).toMatchObject({ type: 'message_delta', delta: stopped });
    const deltas = events.filter(({ type }) => type === 'content_block_delta');
    expect(deltas.map((event) => JSON.parse(JSON.stringify(event)).delta.text).join('')).toBe('Hello ');
  });

  it('tells when max_tokens was hit', async () => {
    const { whole, events } = await bothWays({ text: 'x'.repeat(40_000), pieceCharacters: 10_000 });
    expect(whole).toMatchObject({ stop_reason: 'max_tokens', usage: usage(9, 8000) });
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'max_tokens' } });
  });

  it('has parallel tool calls one after the other, also when they came interleaved', async () => {
    const toolCalls = [
      { id: 'call_a', name: 'look', arguments: { where: 'left' } },
      { id: 'call_b', name: 'look', arguments: '' },
    ];
    const { whole, events } = await bothWays(
      { text: 'Ok.', toolCalls, interleaved: true },
      { tools: [look] },
    );
    expect(whole).toMatchObject({
      content: [
        text('Ok.'),
        { type: 'tool_use', id: 'call_a', name: 'look', input: { where: 'left' } },
        { type: 'tool_use', id: 'call_b', name: 'look', input: {} },
      ],
      stop_reason: 'tool_use',
    });
    const indices = events.flatMap(({ index }) => (typeof index === 'number' ? [index] : []));
    expect(indices).toEqual(indices.toSorted((a, b) => a - b));
    expect(new Set(indices)).toEqual(new Set([0, 1, 2]));
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' } });
  });

  it('has the reasoning of the model as a thinking block with a signature', async () => {
    const { whole, events } = await bothWays({ reasoning: 'Hm.', text: 'Yes.' });
    expect(whole.content).toEqual([{ type: 'thinking', thinking: 'Hm.', signature: '' }, text('Yes.')]);
    expect(events.slice(1, 5)).toMatchObject([
      { content_block: { type: 'thinking', thinking: '', signature: '' } },
      { delta: { type: 'thinking_delta', thinking: 'Hm.' } },
      { delta: { type: 'signature_delta', signature: '' } },
      { type: 'content_block_stop', index: 0 },
    ]);
  });

  it('is complete when it is empty', async () => {
    const { whole, names } = await bothWays({ text: '' });
    expect(whole).toMatchObject({ content: [], stop_reason: 'end_turn', usage: usage(9, 0) });
    expect(names).toEqual(['message_start', 'message_delta', 'message_stop']);
  });
});
