import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { chatContext } from '../../../../testing/text/chat-requests.ts';
import { Fault } from '../../../faults/fault.ts';
import { chatRequestSchema } from './chat-request.ts';
import { chatWire } from './chat-wire.ts';

const RUNS = 800;
const MOST_MESSAGE_CHARACTERS = 400;

/** Uses every field, so that each can be broken. */
const richBody = {
  model: 'fox',
  messages: [
    { role: 'system', content: [{ type: 'text', text: 'Speak.' }] },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      refusal: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } }],
      function_call: { name: 'look', arguments: '{}' },
    },
    { role: 'tool', tool_call_id: 'a', content: 'done' },
  ],
  ...{ stream: true, stream_options: { include_usage: true }, temperature: 1, top_p: 0.5, seed: 1, n: 1 },
  ...{ max_tokens: 9000, max_completion_tokens: 9000, presence_penalty: 0, frequency_penalty: 0 },
  stop: ['a', 'b'],
  tools: [{ type: 'function', function: { name: 'look', description: 'd', parameters: {}, strict: true } }],
  tool_choice: { type: 'function', function: { name: 'look' } },
  parallel_tool_calls: true,
  response_format: { type: 'json_schema', json_schema: { name: 'a', schema: {}, strict: true } },
  chat_template_kwargs: { enable_thinking: false },
};

type Path = readonly string[];

function pathsIn(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))];
}

function replaced(value: unknown, [step, ...rest]: Path, replacement: unknown): unknown {
  if (step === undefined) return replacement;
  // An earlier change may have removed this path.
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return value;
  const inner = replaced(Reflect.get(value, step), rest, replacement);
  return Array.isArray(value) ? value.with(Number(step), inner) : { ...value, [step]: inner };
}

const awkward = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(undefined, null, '', [], {}, -1, 1e308, 'https://x', 'x'.repeat(100_000), { type: 'text' }),
  fc.constantFrom(
    { role: 'user' },
    [[]],
    [null],
    { type: 'function' },
    JSON.parse('{"__proto__": {"a": 1}}'),
  ),
);

const breakages = fc.array(fc.tuple(fc.constantFrom(...pathsIn(richBody)), awkward), {
  minLength: 1,
  maxLength: 3,
});

/** Rules that a schema cannot express, by field. */
const beyondSchema = /^(model|tool_choice\.function\.name|.*\.image_url\.url|.*\.file\.file_data)$/;

function faultOf(body: unknown): Fault | undefined {
  try {
    chatWire.open(body, chatContext);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
    throw thrown;
  }
}

test('the original body is valid', () => {
  expect(faultOf(richBody)).toBeUndefined();
});

test('a broken body gets a short 400 or 404 that names the field, and the schema of the API description agrees', () => {
  let refused = 0;
  fc.assert(
    fc.property(breakages, (changes) => {
      const body = changes.reduce<unknown>((whole, [path, value]) => replaced(whole, path, value), richBody);
      const fault = faultOf(body);
      const { success } = chatRequestSchema.safeParse(body);
      if (fault === undefined) {
        expect(success).toBe(true);
        return;
      }
      refused++;
      expect([400, 404]).toContain(fault.status);
      expect(fault.message.length).toBeLessThan(MOST_MESSAGE_CHARACTERS);
      if (success) expect(fault.param).toMatch(beyondSchema);
    }),
    { numRuns: RUNS },
  );
  expect(refused).toBeGreaterThan(RUNS / 3);
});

test('any other JSON is refused', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (body) => {
      expect(faultOf(body)?.code).toBe('invalid-request');
    }),
  );
});

test('a long list of wrong items is refused at the first', () => {
  const wrong = Array.from({ length: 200_000 }, () => 3);
  expect(faultOf({ model: 'fox', messages: wrong })?.param).toBe('messages[0]');
  expect(faultOf({ ...richBody, tools: wrong })?.param).toBe('tools[0]');
  expect(faultOf({ model: 'fox', messages: [{ role: 'user', content: wrong }] })?.param).toBe(
    'messages[0].content[0]',
  );
});

test('the schema of the request converts to JSON Schema', () => {
  expect(z.toJSONSchema(chatRequestSchema, { io: 'input' })).toMatchObject({
    type: 'object',
    required: ['model', 'messages'],
    properties: { max_tokens: { type: ['integer', 'null'] } },
  });
});
