import { z } from 'zod';

/** A case of the compliance suite of Open Responses (openresponses.org): a request, and the items that its answer must have. */
export interface ComplianceCase {
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly output: readonly string[];
}

const user = (content: unknown) => ({ type: 'message', role: 'user', content });
const weather = {
  type: 'function',
  name: 'get_weather',
  description: 'Tells the weather of a place.',
  parameters: { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] },
};
const dot =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const toolCall = { input: [user('What is the weather in San Francisco?')], tools: [weather] };

/** The seven classic cases. */
export const complianceCases: readonly ComplianceCase[] = [
  { name: 'a basic answer', body: { input: [user('Say hello in three words.')] }, output: ['message'] },
  {
    name: 'a streamed answer',
    body: { input: [user('Count from 1 to 5.')], stream: true },
    output: ['message'],
  },
  {
    name: 'a system prompt',
    body: {
      input: [{ type: 'message', role: 'system', content: 'You are a pirate.' }, user('Say hello.')],
    },
    output: ['message'],
  },
  { name: 'a tool call', body: toolCall, output: ['function_call'] },
  { name: 'a streamed tool call', body: { ...toolCall, stream: true }, output: ['function_call'] },
  {
    name: 'an image',
    body: {
      input: [
        user([
          { type: 'input_text', text: 'What is in this image?' },
          { type: 'input_image', image_url: dot },
        ]),
      ],
    },
    output: ['message'],
  },
  {
    name: 'several turns',
    body: {
      input: [
        user('My name is Alice.'),
        { type: 'message', role: 'assistant', content: 'Hello Alice!' },
        user('What is my name?'),
      ],
    },
    output: ['message'],
  },
];

const status = z.enum(['in_progress', 'completed', 'incomplete']);
const text = z.object({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(z.unknown()),
  logprobs: z.array(z.unknown()),
});
const item = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('message'),
    id: z.string(),
    status,
    role: z.literal('assistant'),
    content: z.array(text),
  }),
  z.object({
    type: z.literal('function_call'),
    id: z.string(),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
    status,
  }),
]);
const tool = z.object({
  type: z.literal('function'),
  name: z.string(),
  description: z.string().nullable(),
  parameters: z.record(z.string(), z.unknown()).nullable(),
  strict: z.boolean().nullable(),
});

/** The response object of the specification, with every required member. */
export const responseResource = z.object({
  id: z.string(),
  object: z.literal('response'),
  created_at: z.int(),
  completed_at: z.int().nullable(),
  status: z.string(),
  incomplete_details: z.object({ reason: z.string() }).nullable(),
  model: z.string(),
  previous_response_id: z.string().nullable(),
  instructions: z.string().nullable(),
  output: z.array(item),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  tools: z.array(tool),
  tool_choice: z.enum(['none', 'auto', 'required']),
  truncation: z.enum(['auto', 'disabled']),
  parallel_tool_calls: z.boolean(),
  text: z.object({ format: z.object({ type: z.string() }) }),
  top_p: z.number(),
  presence_penalty: z.number(),
  frequency_penalty: z.number(),
  top_logprobs: z.int(),
  temperature: z.number(),
  reasoning: z.object({ effort: z.string().nullable(), summary: z.string().nullable() }).nullable(),
  user: z.string().nullable(),
  usage: z
    .object({
      input_tokens: z.int(),
      output_tokens: z.int(),
      total_tokens: z.int(),
      input_tokens_details: z.object({ cached_tokens: z.int() }),
      output_tokens_details: z.object({ reasoning_tokens: z.int() }),
    })
    .nullable(),
  max_output_tokens: z.int().nullable(),
  max_tool_calls: z.int().nullable(),
  store: z.boolean(),
  background: z.boolean(),
  service_tier: z.string(),
  metadata: z.record(z.string(), z.string()),
  safety_identifier: z.string().nullable(),
  prompt_cache_key: z.string().nullable(),
});
