import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { streamData, streamEvents } from '../../testing/text/stream-events.ts';
import { eventually } from '../eventually.ts';
import { jsonHead, RawClient } from '../raw-client.ts';
import { installLlamaServer } from './install-llama-server.ts';
import { LlamaGateway, llamaKey } from './llama-gateway.ts';

const chatPath = '/v1/chat/completions';
const messagesPath = '/v1/messages';
const windowTokens = 16_384;
const leastOutputTokens = 8_000;
const roomTokens = windowTokens - leastOutputTokens;
const itself = 1;

// Deterministic, with an end after few words: no request can ask for less than 8000 tokens of output.
const short = { model: 'smollm2', temperature: 0, seed: 7, stop: ['.', ',', ' is', '\n'] };
const oneWord = { model: 'smollm2', max_tokens: 1, temperature: 0, stop_sequences: [' ', '\n', '.', ','] };
const colour = { ...short, messages: [{ role: 'user', content: 'Name a colour.' }] };

const positive = z.int().positive();
const chatUsage = z.object({ prompt_tokens: positive, completion_tokens: positive, total_tokens: positive });
const chatAnswer = z.object({
  choices: z.tuple([z.object({ message: z.object({ content: z.string() }), finish_reason: z.string() })]),
  usage: chatUsage,
});
const chatChunk = z.object({
  choices: z.array(
    z.object({
      delta: z.object({ role: z.string().optional(), content: z.string().nullish() }),
      finish_reason: z.string().nullish(),
    }),
  ),
  usage: chatUsage.nullish(),
});
const message = z.object({ usage: z.object({ input_tokens: positive, output_tokens: positive }) });
const messageStart = z.object({
  type: z.literal('message_start'),
  message: z.object({ usage: z.object({ input_tokens: positive }) }),
});
const inputDelta = z.object({ partial_json: z.string() });
const count = z.object({ input_tokens: positive });

const tools = [
  {
    name: 'paint',
    description: 'Paints a wall.',
    input_schema: { type: 'object', properties: { colour: { enum: ['red', 'blue'] } }, required: ['colour'] },
  },
];
// So small a model calls a tool only if it sees an example.
const forTools = {
  model: 'smollm2',
  max_tokens: 1,
  temperature: 0,
  tools,
  tool_choice: { type: 'any', disable_parallel_tool_use: true },
  messages: [...painted('red'), ...painted('blue'), { role: 'user', content: 'Paint it red.' }],
};
/** So that so small a model ends its answer. */
const oneOf = (...words: readonly string[]) => ({
  type: 'json_schema',
  name: 'word',
  schema: {
    type: 'object',
    properties: { word: { enum: words } },
    required: ['word'],
    additionalProperties: false,
  },
});
const conversations = [
  { name: 'a question', fields: { messages: [{ role: 'user', content: 'What is a stone?' }] } },
  {
    name: 'a talk with a system prompt',
    fields: {
      system: 'You answer with one word.',
      messages: [
        { role: 'user', content: 'Red or blue?' },
        { role: 'assistant', content: 'Red' },
        { role: 'user', content: 'And now?' },
      ],
    },
  },
  {
    name: 'a long text in many scripts',
    fields: {
      messages: [{ role: 'user', content: 'Grüße, 東京 – Привет 🙂 <|im_end|> & "quoted"\t\\n. '.repeat(6) }],
    },
  },
  { name: 'tools and a call', fields: forTools },
];

describe('a real llama.cpp server', async () => {
  const python = await installLlamaServer();
  if (python === undefined) {
    it.skip('is not available on this machine');
    return;
  }
  let gateway: LlamaGateway;

  beforeAll(async () => {
    gateway = await LlamaGateway.start(python);
  });

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
  });

  const post = async (path: string, body: object): Promise<string> => {
    const { status, text } = await gateway.post(path, body);
    expect({ status, text }).toEqual({ status: 200, text: expect.any(String) });
    return text;
  };
  const chat = async (fields: object) => chatAnswer.parse(JSON.parse(await post(chatPath, fields)));

  it('makes the gateway ready and its models listed', async () => {
    expect(await gateway.process.request('/readyz')).toMatchObject({ status: 200, text: 'ready\n' });
    expect(await gateway.process.modelsFor(llamaKey)).toEqual(['smollm2']);
  });

  it('answers a chat, streamed as not', async () => {
    const whole = await chat(colour);
    const text = whole.choices[0].message.content;
    expect(text).toMatch(/\w/);
    for (const sequence of short.stop) expect(text).not.toContain(sequence);
    expect(whole.choices[0].finish_reason).toBe('stop');
    expect(whole.usage.total_tokens).toBe(whole.usage.prompt_tokens + whole.usage.completion_tokens);

    const body = await post(chatPath, { ...colour, stream: true, stream_options: { include_usage: true } });
    const chunks = streamData(body).map((chunk) => chatChunk.parse(chunk));
    const choices = chunks.flatMap((chunk) => chunk.choices);
    expect(choices[0]?.delta.role).toBe('assistant');
    expect(choices.map(({ delta }) => delta.content ?? '').join('')).toBe(text);
    expect(choices.flatMap(({ finish_reason }) => finish_reason ?? [])).toEqual(['stop']);
    expect(chunks.at(-1)).toEqual({ choices: [], usage: whole.usage });
    expect(streamEvents(body).at(-1)).toEqual({ data: '[DONE]' });
  });

  it('gets one system message, at the beginning, of a response that has several', async () => {
    const input = [
      { role: 'developer', content: 'Answer with one word.' },
      { role: 'user', content: 'Red or blue?' },
      { role: 'system', content: 'Prefer red.' },
    ];
    const fields = { model: 'smollm2', temperature: 0, store: false, max_output_tokens: 1, input };
    const { input_tokens: counted } = count.parse(
      JSON.parse(await post('/v1/responses/input_tokens', fields)),
    );
    const text = await post('/v1/responses', { ...fields, text: { format: oneOf('red', 'blue') } });
    expect(JSON.parse(text)).toMatchObject({
      status: 'completed',
      usage: { output_tokens: expect.any(Number) },
    });
    expect(counted).toBeGreaterThan(0);
  });

  it.each(conversations)('is charged what was counted: $name', async ({ fields }) => {
    const request = { ...oneWord, ...fields };
    const counted = count.parse(JSON.parse(await post(`${messagesPath}/count_tokens`, request)));
    const streamed = await post(messagesPath, { ...request, stream: true });
    const whole = message.parse(JSON.parse(await post(messagesPath, request)));
    expect(messageStart.parse(streamData(streamed)[0]).message.usage).toMatchObject(counted);
    expect(whole.usage).toMatchObject(counted);
    expect(streamEvents(streamed).at(-1)?.name).toBe('message_stop');
  });

  it('keeps to a schema', async () => {
    const schema = {
      type: 'object',
      properties: { colour: { enum: ['red', 'blue'] }, isWarm: { type: 'boolean' } },
      required: ['colour', 'isWarm'],
      additionalProperties: false,
    };
    const { choices } = await chat({
      ...colour,
      stop: undefined,
      response_format: { type: 'json_schema', json_schema: { name: 'colour', schema } },
    });
    const answer = z.strictObject({ colour: z.enum(['red', 'blue']), isWarm: z.boolean() });
    expect(() => answer.parse(JSON.parse(choices[0].message.content))).not.toThrow();
  });

  it('calls a tool and streams the same call', async () => {
    const calls = [
      { type: 'tool_use', name: 'paint', input: { colour: expect.stringMatching(/^(red|blue)$/) } },
    ];
    const whole = JSON.parse(await post(messagesPath, forTools));
    expect(whole).toMatchObject({ stop_reason: 'tool_use', content: calls });

    const events = streamData(await post(messagesPath, { ...forTools, stream: true }));
    const fragments = events.flatMap(({ delta }) => inputDelta.safeParse(delta).data?.partial_json ?? []);
    expect(JSON.parse(fragments.join(''))).toEqual(whole.content[0].input);
    expect(events.at(-2)).toMatchObject({ type: 'message_delta', delta: { stop_reason: 'tool_use' } });
  });

  it('stops writing when the client leaves, and serves the next one', async () => {
    const endless = {
      model: 'smollm2',
      stream: true,
      messages: [{ role: 'user', content: 'Count to a thousand.' }],
      response_format: endlessList,
    };
    const body = JSON.stringify(endless);
    {
      using client = await RawClient.open(gateway.process.url);
      await client.sent(jsonHead(chatPath, { key: llamaKey, length: Buffer.byteLength(body) }) + body);
      await client.receives(/"content":"[^"]/);
      expect(await gateway.server.isBusy()).toBe(true);
    }
    await eventually('no request is served', async () =>
      (await gateway.process.inFlight()) === itself ? true : undefined,
    );
    await eventually('the server is idle', async () => ((await gateway.server.isBusy()) ? undefined : true));
    expect((await chat(colour)).choices[0].finish_reason).toBe('stop');
  });

  it.each([roomTokens, windowTokens])('refuses a prompt of more than %d tokens', async (tokens) => {
    const content = 'stone '.repeat(tokens);
    const answer = await gateway.post(chatPath, { ...colour, messages: [{ role: 'user', content }] });
    expect(answer.status).toBe(400);
    const [, asked = '', room = ''] =
      /prompt is too long: (\d+) tokens > (\d+) maximum/.exec(answer.text) ?? [];
    expect(Number(asked)).toBeGreaterThan(tokens);
    expect(Number(room)).toBe(roomTokens);
  });
});

/** A grammar that never lets the model end. */
const endlessList = {
  type: 'json_schema',
  json_schema: {
    name: 'list',
    schema: { type: 'array', items: { type: 'integer' }, minItems: 1_000 },
  },
};

function painted(colour: string): readonly object[] {
  const id = `toolu_${colour}`;
  return [
    { role: 'user', content: `Paint it ${colour}.` },
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'paint', input: { colour } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'done' }] },
  ];
}
