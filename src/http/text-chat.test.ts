import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ReplyPlan } from '../../testing/fake-upstream/fake-upstream.mjs';
import { makePng } from '../../testing/fake-upstream/make-png.mjs';
import { plainBody, textCallers, plainTurn as user } from '../../testing/text/plain-requests.ts';
import { streamData, streamEvents } from '../../testing/text/stream-events.ts';
import { TextGateway } from '../../testing/text/text-gateway.ts';

const pngUrl = `data:image/png;base64,${makePng({ width: 3, height: 2 }).toString('base64')}`;
const look = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } };

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

const system = (content: unknown, role = 'system') => ({ role, content });
const withSystem = (content: string) => ({ messages: [{ role: 'system', content }, user] });
const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
const history = [
  user,
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"where":"left"}' } },
    ],
  },
  { role: 'tool', tool_call_id: 'call_1', content: 'a tree' },
];
const optional = [
  ['stream_options', 'temperature', 'top_p', 'max_tokens', 'max_completion_tokens', 'stop', 'n', 'seed'],
  ['presence_penalty', 'frequency_penalty', 'tools', 'tool_choice', 'parallel_tool_calls'],
  ['response_format', 'chat_template_kwargs', 'stream'],
].flat();

const rows: readonly Row[] = [
  { name: 'nothing but what is needed' },
  { name: 'null for every optional field', fields: Object.fromEntries(optional.map((name) => [name, null])) },
  { name: 'temperature 0', fields: { temperature: 0 }, sent: { temperature: 0 } },
  { name: 'temperature 2', fields: { temperature: 2 }, sent: { temperature: 2 } },
  { name: 'top_p', fields: { top_p: 0.3 }, sent: { top_p: 0.3 } },
  { name: 'max_tokens under the floor', fields: { max_tokens: 1 } },
  { name: 'max_tokens below nothing', fields: { max_tokens: -5 } },
  { name: 'max_tokens within', fields: { max_tokens: 12_000 }, sent: { max_tokens: 12_000 } },
  { name: 'max_tokens over the ceiling', fields: { max_tokens: 16_001 }, sent: { max_tokens: 16_000 } },
  { name: 'max_tokens beyond integers', fields: { max_tokens: 1e300 }, sent: { max_tokens: 16_000 } },
  { name: 'max_completion_tokens', fields: { max_completion_tokens: 9000 }, sent: { max_tokens: 9000 } },
  { name: 'one stop sequence', fields: { stop: 'END' }, sent: { stop: ['END'] } },
  {
    name: 'four stop sequences',
    fields: { stop: ['a', 'b', 'c', 'd'] },
    sent: { stop: ['a', 'b', 'c', 'd'] },
  },
  { name: 'no stop sequences', fields: { stop: [] } },
  {
    name: 'seed and penalties',
    fields: { seed: 7, presence_penalty: -2, frequency_penalty: 2 },
    sent: { seed: 7, presence_penalty: -2, frequency_penalty: 2 },
  },
  { name: 'tools', fields: { tools: [look] }, sent: { tools: [look] } },
  { name: 'no tools', fields: { tools: [], tool_choice: 'required', parallel_tool_calls: false } },
  { name: 'tool_choice auto', fields: { tools: [look], tool_choice: 'auto' }, sent: { tools: [look] } },
  ...['none', 'required', { type: 'function', function: { name: 'look' } }].map((choice) => ({
    name: `tool_choice ${JSON.stringify(choice)}`,
    fields: { tools: [look], tool_choice: choice },
    sent: { tools: [look], tool_choice: choice },
  })),
  {
    name: 'parallel_tool_calls false',
    fields: { tools: [look], parallel_tool_calls: false },
    sent: { tools: [look], parallel_tool_calls: false },
  },
  {
    name: 'parallel_tool_calls true',
    fields: { tools: [look], parallel_tool_calls: true },
    sent: { tools: [look] },
  },
  { name: 'response_format text', fields: { response_format: { type: 'text' } } },
  {
    name: 'response_format json_object',
    fields: { response_format: { type: 'json_object', schema } },
    sent: { response_format: { type: 'json_object' } },
  },
  {
    name: 'response_format json_schema',
    fields: { response_format: { type: 'json_schema', json_schema: { name: 'sum', schema } } },
    sent: { response_format: { type: 'json_schema', json_schema: { name: 'sum', schema, strict: true } } },
  },
  {
    name: 'chat_template_kwargs',
    fields: { chat_template_kwargs: { enable_thinking: false } },
    sent: { chat_template_kwargs: { enable_thinking: false } },
  },
  { name: 'enable_thinking at the top level', fields: { enable_thinking: false } },
  {
    name: 'unknown fields at every level',
    fields: {
      user: 'u',
      metadata: {},
      store: true,
      top_k: 5,
      logprobs: true,
      messages: [{ ...user, name: 'me', weight: 1, cache: {} }],
      tools: [{ ...look, extra: 1, function: { ...look.function, extra: 2 } }],
      stream_options: { include_usage: true, other: 1 },
    },
    sent: { tools: [look] },
  },
  {
    name: 'the prompt and temperature of the stack',
    key: 'sk-prompt',
    sent: { ...withSystem('Be kind.'), temperature: 0.2 },
  },
  {
    name: 'a temperature instead of the stack’s',
    key: 'sk-prompt',
    fields: { temperature: 1 },
    sent: { ...withSystem('Be kind.'), temperature: 1 },
  },
  {
    name: 'a system message instead of the stack’s prompt',
    key: 'sk-prompt',
    fields: { messages: [system('Be rude.'), user] },
    sent: { ...withSystem('Be rude.'), temperature: 0.2 },
  },
  {
    name: 'a developer message instead of the stack’s prompt',
    key: 'sk-prompt',
    fields: { messages: [system('Be rude.', 'developer'), user] },
    sent: { ...withSystem('Be rude.'), temperature: 0.2 },
  },
  {
    name: 'an empty system message instead of the stack’s prompt',
    key: 'sk-prompt',
    fields: { messages: [system(''), user] },
    sent: { ...withSystem(''), temperature: 0.2 },
  },
  {
    name: 'several system messages, one of them late and one in parts',
    fields: { messages: [system('One.'), user, system([{ type: 'text', text: 'Two.' }], 'developer')] },
    sent: withSystem('One.\n\nTwo.'),
  },
  {
    name: 'tool calls and results',
    fields: { messages: history, tools: [look] },
    sent: { messages: history, tools: [look] },
  },
  {
    name: 'parts of text',
    fields: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Say' },
            { type: 'text', text: 'hello.' },
          ],
        },
      ],
    },
    sent: { messages: [{ role: 'user', content: 'Say\nhello.' }] },
  },
  {
    name: 'an image that the model cannot see',
    fields: { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: pngUrl } }] }] },
    sent: { messages: [{ role: 'user', content: '[image: PNG 3×2]' }] },
  },
];

describe('the upstream request of a chat request', () => {
  it.each(rows)('with $name', async ({ fields, sent, key }) => {
    const answer = await gateway.chat(fields, key).answer();
    expect(answer.status, answer.body).toBe(200);
    expect(gateway.lastBody).toEqual({ ...plainBody, ...sent });
  });

  it('has an image where the model sees', async () => {
    const content = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: pngUrl, detail: 'low' } },
    ];
    await seeing.chat({ messages: [{ role: 'user', content }] }).answer();
    expect(seeing.lastBody.messages).toEqual([
      { role: 'user', content: [content[0], { type: 'image_url', image_url: { url: pngUrl } }] },
    ]);
  });
});

describe('a chat request', () => {
  it.each([
    ['no model', { model: undefined }, 400, 'model'],
    ['another model', { model: 'other' }, 404, 'model'],
    ['no messages', { messages: undefined }, 400, 'messages'],
    ['empty messages', { messages: [] }, 400, 'messages'],
    ['an unknown role', { messages: [{ role: 'nobody', content: '' }] }, 400, 'messages[0].role'],
    [
      'a tool result of no call',
      { messages: [{ role: 'tool', content: '' }] },
      400,
      'messages[0].tool_call_id',
    ],
    ['n of 2', { n: 2 }, 400, 'n'],
    ['five stop sequences', { stop: ['a', 'b', 'c', 'd', 'e'] }, 400, 'stop'],
    ['a temperature over 2', { temperature: 2.1 }, 400, 'temperature'],
    ['a temperature below 0', { temperature: -0.1 }, 400, 'temperature'],
    ['top_p 0', { top_p: 0 }, 400, 'top_p'],
    ['top_p over 1', { top_p: 1.1 }, 400, 'top_p'],
    ['max_tokens as text', { max_tokens: '8000' }, 400, 'max_tokens'],
    ['half a token', { max_tokens: 8000.5 }, 400, 'max_tokens'],
    ['a response_format of no kind', { response_format: { type: 'xml' } }, 400, 'response_format.type'],
    ['template arguments that are no object', { chat_template_kwargs: true }, 400, 'chat_template_kwargs'],
    [
      'an image to fetch',
      {
        messages: [
          { role: 'user', content: [{ type: 'image_url', image_url: { url: 'http://127.0.0.1/a.png' } }] },
        ],
      },
      400,
      'messages[0].content[0].image_url.url',
    ],
  ])(
    'with %s is refused, streamed or not, and asks nothing of the upstream',
    async (_name, fields, status, param) => {
      const asked = gateway.upstream.totalRequests;
      for (const stream of [true, false]) {
        const answer = await gateway.chat({ ...fields, stream }).answer();
        expect(answer.status, answer.body).toBe(status);
        expect(JSON.parse(answer.body)).toMatchObject({
          error: {
            type: 'invalid_request_error',
            code: status === 404 ? 'model_not_found' : 'invalid_request',
            message: expect.stringMatching(/.{20}/),
          },
        });
        expect(JSON.parse(answer.body).error.param).toMatch(
          new RegExp(`^${param.replace(/[[\].]/g, '\\$&')}`),
        );
      }
      expect(gateway.upstream.totalRequests).toBe(asked);
    },
  );
});

/** Answers a plan whole and streamed; returns both answers. */
async function bothWays(plan: ReplyPlan, fields: Readonly<Record<string, unknown>> = {}) {
  gateway.upstream.respond(plan, plan);
  const whole = JSON.parse((await gateway.chat(fields).answer()).body);
  const { body } = await gateway.chat({ ...fields, stream: true }).answer();
  return { whole, chunks: streamData(body), events: streamEvents(body) };
}

describe('a chat answer', () => {
  it('has the shape of the format, and names the model that was asked for', async () => {
    const { whole, chunks, events } = await bothWays({ text: 'Hello there' }, { model: 'org/large' });
    expect(whole).toEqual({
      id: expect.stringMatching(/^chatcmpl-[0-9a-f]{24}$/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'org/large',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hello there', refusal: null },
          finish_reason: 'stop',
          logprobs: null,
        },
      ],
      usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
    });
    const head = {
      id: chunks[0]?.id,
      object: 'chat.completion.chunk',
      created: expect.any(Number),
      model: 'org/large',
    };
    const said = (delta: object, finish: string | null = null) => ({
      ...head,
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    expect(chunks).toEqual([
      said({ role: 'assistant', content: '' }),
      ...['Hell', 'o th', 'ere'].map((content) => said({ content })),
      said({}, 'stop'),
    ]);
    expect(events.at(-1)?.data).toBe('[DONE]');
    expect(events.every(({ name }) => name === undefined)).toBe(true);
  });

  it('streams its usage only when asked', async () => {
    const { chunks } = await bothWays({ text: 'Hi' }, { stream_options: { include_usage: true } });
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 },
    });
    expect(chunks.filter(({ choices }) => Array.isArray(choices) && choices.length === 0)).toHaveLength(1);
  });

  it('never returns a stop sequence, also when it comes in pieces', async () => {
    const { whole, chunks } = await bothWays(
      { text: ['Hello E', 'N', 'D and more'] },
      { stop: ['END', 'never'] },
    );
    expect(whole.choices[0]).toMatchObject({ message: { content: 'Hello ' }, finish_reason: 'stop' });
    const text = chunks
      .map((chunk) => JSON.parse(JSON.stringify(chunk)).choices[0].delta.content ?? '')
      .join('');
    expect(text).toBe('Hello ');
    expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
  });

  it('tells when max_tokens was hit', async () => {
    const { whole, chunks } = await bothWays({ text: 'x'.repeat(40_000), pieceCharacters: 10_000 });
    expect(whole.choices[0].finish_reason).toBe('length');
    expect(whole.usage.completion_tokens).toBe(8000);
    expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'length' }] });
  });

  it('has parallel tool calls in order, without a null in any fragment', async () => {
    const toolCalls = [
      { id: 'call_a', name: 'look', arguments: { where: 'left' } },
      { id: 'call_b', name: 'look', arguments: { where: 'right' } },
    ];
    const { whole, chunks } = await bothWays(
      { toolCalls, interleaved: true, fail: 'null-fragments' },
      { tools: [look] },
    );
    const called = toolCalls.map(({ id, name, arguments: given }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(given) },
    }));
    expect(whole.choices[0]).toMatchObject({
      message: { content: null, tool_calls: called },
      finish_reason: 'tool_calls',
    });
    const fragments = chunks.flatMap(
      (chunk) => JSON.parse(JSON.stringify(chunk)).choices[0].delta.tool_calls ?? [],
    );
    expect(JSON.stringify(fragments)).not.toContain('null');
    for (const [index, { id }] of toolCalls.entries()) {
      const mine = fragments.filter((fragment: { index: number }) => fragment.index === index);
      expect(mine[0]).toMatchObject({ id, type: 'function', function: { name: 'look' } });
      const text = mine
        .map((fragment: { function: { arguments: string } }) => fragment.function.arguments)
        .join('');
      expect(text).toBe(called[index]?.function.arguments);
    }
    expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'tool_calls' }] });
  });

  it('has the reasoning of the model apart from its text', async () => {
    const { whole, chunks } = await bothWays({ reasoning: 'Hm.', text: 'Yes.' });
    expect(whole.choices[0].message).toMatchObject({ content: 'Yes.', reasoning_content: 'Hm.' });
    expect(chunks[1]).toMatchObject({ choices: [{ delta: { reasoning_content: 'Hm.' } }] });
  });
});
