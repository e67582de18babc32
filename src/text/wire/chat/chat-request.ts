import { z } from 'zod';
import { MAX_STOP_SEQUENCES } from '../../text-limits.ts';
import { includeFieldSchema } from '../knowledge-field.ts';
import { numberFields, numberIn, tokenLimitField } from '../number-fields.ts';
import { taggedError } from '../parse-field.ts';
import { wholeMessageSchema } from './chat-message-schema.ts';

const MAXIMUM_ARGUMENTS = 32;
const MAXIMUM_NAME_CHARACTERS = 64;
const MAXIMUM_VALUE_CHARACTERS = 1_000;

/** Arguments that the server sets itself: with one of these a client could replace the prompt, or the template. */
const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ...['chat_template', 'messages', 'conversation', 'tools', 'documents'],
  ...['tokenize', 'return_dict', 'return_tensors', 'padding', 'truncation', 'max_length'],
  ...['add_generation_prompt', 'continue_final_message', 'add_special_tokens'],
]);

const values = `a string of up to ${MAXIMUM_VALUE_CHARACTERS} characters, a number, true, false or null`;
const scalar = z.union(
  [z.string().max(MAXIMUM_VALUE_CHARACTERS, values), z.number(), z.boolean(), z.null()],
  values,
);

/** Switches of a model family's template: few, plain, and none that changes how a prompt is built. */
export const templateArgumentsSchema = z
  .record(z.string(), scalar, 'an object')
  .superRefine((given, context) => {
    const names = Object.keys(given);
    const refuse = (message: string, path: string[] = []) =>
      context.addIssue({ code: 'custom', path, message });
    if (names.length > MAXIMUM_ARGUMENTS) refuse(`an object of up to ${MAXIMUM_ARGUMENTS} members`);
    if (names.some((name) => name.length > MAXIMUM_NAME_CHARACTERS))
      refuse(`an object whose names have up to ${MAXIMUM_NAME_CHARACTERS} characters`);
    const reserved = names.find((name) => RESERVED_NAMES.has(name));
    if (reserved !== undefined) refuse('left out, for it changes how the prompt is built', [reserved]);
  });

const boolean = z.boolean('true or false').nullish();
const object = z.record(z.string(), z.unknown(), 'an object').nullish();
const penalty = numberIn({ minimum: -2, maximum: 2 }).nullish();
const nonEmptyMessages = 'a non-empty array of messages';
const tools = 'an array of tools';

/** A function that the model may call. */
export const toolSchema = z.object(
  {
    type: z.literal('function', 'function'),
    function: z.object(
      {
        name: z.string('a name').min(1, 'a name'),
        description: z.string('a string').nullish(),
        parameters: object.describe('A JSON Schema of the arguments.'),
        strict: boolean,
      },
      'an object with `name`',
    ),
  },
  'a tool',
);

const toolChoice = z
  .union(
    [
      z.enum(['none', 'auto', 'required']),
      z.object({ type: z.string(), function: z.object({ name: z.string() }).nullish() }),
    ],
    'none, auto, required or an object that names a function',
  )
  .nullish();

const responseFormat = z
  .discriminatedUnion(
    'type',
    [
      z.object({ type: z.literal('text') }),
      z.object({ type: z.literal('json_object') }),
      z.object({
        type: z.literal('json_schema'),
        json_schema: z.object(
          {
            name: z.string('a string').nullish(),
            schema: z.record(z.string(), z.unknown(), 'a JSON Schema object'),
            strict: boolean,
          },
          'an object with `schema`',
        ),
      }),
    ],
    {
      error: taggedError({ kind: 'an object with `type`', tags: 'text, json_object or json_schema' }),
    },
  )
  .nullish();

/** The fields of a request; messages and tools are parsed item by item. */
export const requestFieldsSchema = z.object(
  {
    model: z.string('the name of a model').describe('A value from `GET /v1/models`.'),
    messages: z.array(z.unknown(), nonEmptyMessages).min(1, nonEmptyMessages),
    stream: boolean,
    stream_options: z
      .object({ include_usage: boolean }, 'an object')
      .nullish()
      .describe('`include_usage` adds a last chunk with the usage.'),
    include: includeFieldSchema,
    temperature: numberFields.temperature.nullish(),
    top_p: numberFields.topP.nullish(),
    max_completion_tokens: tokenLimitField,
    max_tokens: tokenLimitField,
    stop: z
      .union([z.string(), z.array(z.string()).max(MAX_STOP_SEQUENCES)], 'a string or up to four strings')
      .nullish(),
    n: z.literal(1, '1').nullish(),
    seed: z.int('an integer within ±(2^53 - 1)').nullish(),
    presence_penalty: penalty,
    frequency_penalty: penalty,
    tools: z.array(z.unknown(), tools).nullish(),
    tool_choice: toolChoice,
    parallel_tool_calls: boolean,
    response_format: responseFormat,
    chat_template_kwargs: templateArgumentsSchema
      .nullish()
      .describe(
        'Switches of the model family, such as `enable_thinking`; plain values, and none that changes how the prompt is built.',
      ),
  },
  'a JSON object',
);

/** The whole request, for the API description. */
export const chatRequestSchema = requestFieldsSchema.extend({
  messages: z.array(wholeMessageSchema).min(1).describe('The conversation, oldest first.'),
  tools: z.array(toolSchema).nullish(),
});

export type RequestFields = z.infer<typeof requestFieldsSchema>;
/** All fields but the long lists. */
export type ShortFields = Omit<RequestFields, 'messages' | 'tools'>;
