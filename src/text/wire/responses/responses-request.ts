import { z } from 'zod';
import { LEAST_OUTPUT_TOKENS, MOST_OUTPUT_TOKENS } from '../../text-limits.ts';
import { knowledgeFieldSchema } from '../knowledge-field.ts';
import { numberFields } from '../number-fields.ts';
import { taggedError } from '../parse-field.ts';

const boolean = z.boolean('true or false').nullish();
const text = z.string('a string').nullish();
const METADATA_PAIRS = 16;
const METADATA_NAME_CHARACTERS = 64;
const METADATA_VALUE_CHARACTERS = 512;
const metadataRule = `an object of at most ${METADATA_PAIRS} strings of up to ${METADATA_VALUE_CHARACTERS} characters`;

const toolChoice = z
  .union(
    [z.enum(['none', 'auto', 'required']), z.looseObject({ type: z.string(), name: z.string().nullish() })],
    'none, auto, required or an object that names a tool',
  )
  .nullish();

const format = z
  .discriminatedUnion(
    'type',
    [
      z.object({ type: z.literal('text') }),
      z.object({ type: z.literal('json_object') }),
      z.looseObject({
        type: z.literal('json_schema'),
        name: z.string('a string').nullish(),
        schema: z.record(z.string(), z.unknown(), 'a JSON Schema object'),
        strict: boolean,
      }),
    ],
    { error: taggedError({ kind: 'an object with `type`', tags: 'text, json_object or json_schema' }) },
  )
  .nullish();

/** Names and values that a client attaches. */
export const metadataSchema = z
  .record(
    z.string().max(METADATA_NAME_CHARACTERS, metadataRule),
    z.string(metadataRule).max(METADATA_VALUE_CHARACTERS, metadataRule),
    metadataRule,
  )
  .refine((pairs) => Object.keys(pairs).length <= METADATA_PAIRS, metadataRule)
  .nullish();

/** The fields of a request that have an effect; input and tools are parsed item by item, everything else is ignored. */
export const responsesFieldsSchema = z.looseObject(
  {
    model: z.string('the name of a model').describe('A value from `GET /v1/models`.'),
    input: z.union([z.string(), z.array(z.unknown())], 'a string or an array of items').nullish(),
    instructions: text,
    previous_response_id: text,
    conversation: z
      .union([z.string(), z.looseObject({ id: z.string() })], 'an id or an object with `id`')
      .nullish(),
    stream: boolean,
    store: boolean,
    background: boolean,
    include: z.array(z.string(), 'an array of strings').nullish(),
    max_output_tokens: numberFields.integer
      .nullish()
      .describe(
        `Clamped into ${LEAST_OUTPUT_TOKENS} to ${MOST_OUTPUT_TOKENS}; ${MOST_OUTPUT_TOKENS} where absent.`,
      ),
    max_tool_calls: z.int('an integer').nullish(),
    metadata: metadataSchema,
    parallel_tool_calls: boolean,
    prompt: z.null('absent: prompt templates are not served').nullish(),
    prompt_cache_key: text,
    reasoning: z
      .looseObject({ effort: text, summary: text }, 'an object')
      .nullish()
      .describe('`effort` none switches thinking off; `summary` shows thoughts as a summary.'),
    safety_identifier: text,
    service_tier: text,
    temperature: numberFields.temperature.nullish(),
    text: z.looseObject({ format, verbosity: text }, 'an object').nullish(),
    tool_choice: toolChoice,
    tools: z.array(z.unknown(), 'an array of tools').nullish(),
    top_logprobs: z.unknown().optional(),
    top_p: numberFields.topP.nullish(),
    truncation: z.enum(['auto', 'disabled'], 'auto or disabled').nullish(),
    user: text,
  },
  'a JSON object',
);

export type ResponsesFields = z.infer<typeof responsesFieldsSchema>;

/** A whole response, for the API description; `output` has the items of the format. */
export const responseSchema = z.looseObject({
  id: z.string(),
  object: z.literal('response'),
  created_at: z.int().describe('Unix time in seconds.'),
  status: z.enum(['completed', 'incomplete', 'failed', 'in_progress', 'queued', 'cancelled']),
  model: z.string().describe('The name asked for, or the model of the engine that stood in.'),
  output: z
    .array(z.looseObject({ id: z.string(), type: z.string() }))
    .describe('Items: `message`, `reasoning`, `function_call`, `custom_tool_call`.'),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  incomplete_details: z.object({ reason: z.string() }).nullable(),
  usage: z
    .object({
      input_tokens: z.int(),
      input_tokens_details: z.object({ cached_tokens: z.int(), cache_write_tokens: z.int() }),
      output_tokens: z.int(),
      output_tokens_details: z.object({ reasoning_tokens: z.int() }),
      total_tokens: z.int(),
    })
    .nullable(),
  knowledge: knowledgeFieldSchema.optional(),
  store: z.boolean().describe('False: responses are not kept.'),
});
