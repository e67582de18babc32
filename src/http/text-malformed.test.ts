import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ZodType, z } from 'zod';
import { answerProblems } from '../../testing/answer-problems.ts';
import { mutationsOf } from '../../testing/text/mutations.ts';
import { streamEvents } from '../../testing/text/stream-events.ts';
import type { CallAnswer } from '../../testing/text/text-call.ts';
import { CHAT, COUNT, MESSAGES, TextGateway } from '../../testing/text/text-gateway.ts';
import { chatReplySchema } from '../text/wire/chat/chat-reply.ts';
import { chatRequestSchema } from '../text/wire/chat/chat-request.ts';
import { messagesReplySchema } from '../text/wire/messages/messages-reply.ts';
import { messagesCountSchema, messagesRequestSchema } from '../text/wire/messages/messages-request-schema.ts';

const RUNS = 60;
const SEED = 5;
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const chatBody = {
  model: 'tiny',
  messages: [
    { role: 'system', content: 'Be kind.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'a tree' },
  ],
  stream: false,
  stream_options: { include_usage: true },
  temperature: 1,
  top_p: 1,
  max_tokens: 8000,
  stop: ['END'],
  n: 1,
  seed: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
  tools: [
    { type: 'function', function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } } },
  ],
  tool_choice: { type: 'function', function: { name: 'look' } },
  parallel_tool_calls: true,
  response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' } } },
  chat_template_kwargs: { enable_thinking: false },
};

const promptBody = {
  system: [{ type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral' } }],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
        { type: 'document', title: 'a', source: { type: 'text', media_type: 'text/plain', data: 'words' } },
      ],
    },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 1 } }] },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          is_error: true,
          content: [{ type: 'text', text: 'a tree' }],
        },
      ],
    },
    { role: 'system', content: 'Mind the gap.' },
  ],
  tools: [{ name: 'look', description: 'Looks.', input_schema: { type: 'object' } }],
  tool_choice: { type: 'tool', name: 'look', disable_parallel_tool_use: true },
  output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
};
const sampling = {
  max_tokens: 8000,
  stream: false,
  temperature: 1,
  top_p: 1,
  top_k: 5,
  stop_sequences: ['END'],
};

interface Endpoint {
  readonly path: string;
  readonly body: unknown;
  readonly schema: ZodType;
  readonly reply: ZodType;
}

const endpoints: readonly Endpoint[] = [
  { path: CHAT, body: chatBody, schema: chatRequestSchema, reply: chatReplySchema },
  {
    path: MESSAGES,
    body: { model: 'any', ...promptBody, ...sampling },
    schema: messagesRequestSchema,
    reply: messagesReplySchema,
  },
  {
    path: COUNT,
    body: promptBody,
    schema: messagesCountSchema,
    reply: z.strictObject({ input_tokens: z.int().min(1) }),
  },
];

let gateway: TextGateway;
beforeAll(async () => {
  gateway = await TextGateway.start();
});
afterAll(async () => {
  expect(gateway.http.log).not.toContain('"level":50');
  await gateway[Symbol.asyncDispose]();
});

/** The mistakes in an answer to an arbitrary body. */
function problemsOf({ path, reply }: Endpoint, { status, headers, body }: CallAnswer): readonly string[] {
  if (status === 200 && headers['content-type'] === 'application/json') {
    return reply.safeParse(JSON.parse(body)).error?.issues.map(({ message }) => message) ?? [];
  }
  if (status === 200) {
    const last = streamEvents(body).at(-1);
    return /^(message_stop|\[DONE\])$/.test(last?.name ?? last?.data ?? '')
      ? []
      : [`a broken stream: ${body}`];
  }
  if (status < 400 || status > 499) return [`status ${status}: ${body}`];
  const single = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  const answer = { status, headers: Object.fromEntries(single), body };
  return answerProblems(gateway.http.description(path), { method: 'POST', path }, answer);
}

describe.each(endpoints)('a body of $path that was good', (endpoint) => {
  const { path, body, schema } = endpoint;

  it('is answered', async () => {
    expect(schema.safeParse(body).success).toBe(true);
    const answer = await gateway.post(path, body).answer();
    expect([answer.status, problemsOf(endpoint, answer)]).toEqual([200, []]);
  });

  it(`and was changed here and there is answered or refused, ${RUNS} times`, async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(mutationsOf(body), async (mutant) => {
        const sent = JSON.stringify(mutant) ?? 'null';
        const answer = await gateway.post(path, sent).answer();
        expect(problemsOf(endpoint, answer)).toEqual([]);
        if (!schema.safeParse(JSON.parse(sent)).success) expect(answer.status).toBeGreaterThanOrEqual(400);
        if (answer.status >= 400) refused += 1;
      }),
      { numRuns: RUNS, seed: SEED },
    );
    expect(refused).toBeGreaterThan(RUNS / 6);
  });

  it('and was cut or scribbled over is refused', async () => {
    const whole = JSON.stringify(body);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length - 1),
        fc.constantFrom('', '"', '\u0001', ',,', '{'),
        async (end, scribble) => {
          const answer = await gateway.post(path, whole.slice(0, end) + scribble).answer();
          expect(problemsOf(endpoint, answer)).toEqual([]);
          expect(answer.status).toBe(400);
        },
      ),
      { numRuns: RUNS / 3, seed: SEED },
    );
  });

  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  it.each([
    ['nothing', ''],
    ['null', 'null'],
    ['a number', '1'],
    ['a string', '"x"'],
    ['a list', '[]'],
    ['an empty object', '{}'],
    ['a number beyond all', '{"messages": 1e999}'],
    ['nested deeply', `{"messages": ${deep(199)}}`],
    ['nested too deeply', `{"messages": ${deep(10_000)}}`],
    ['many values', `{"messages": [${'1,'.repeat(300_000)}1]}`],
    [
      'many blocks of nothing',
      `{"model": "tiny", "messages": [{"role": "user", "content": [${'1,'.repeat(200_000)}1]}]}`,
    ],
    ['many messages without a role', `{"model": "tiny", "messages": [${'{},'.repeat(50_000)}{}]}`],
  ])('as %s is refused', async (_name, text) => {
    const answer = await gateway.post(path, text).answer();
    expect(problemsOf(endpoint, answer)).toEqual([]);
    expect([400, 413]).toContain(answer.status);
  });
});
