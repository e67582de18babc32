import { z } from 'zod';
import { MAX_STOP_SEQUENCES } from '../../text-limits.ts';
import { includeFieldSchema } from '../knowledge-field.ts';
import { numberFields, tokenLimitField } from '../number-fields.ts';

// Each text says what is accepted.
const text = 'a string';
const stop = `an array of at most ${MAX_STOP_SEQUENCES} strings`;
const nonEmptyMessages = 'a non-empty array of messages';
const tools = 'an array of tools';
const choice = 'an object with a `type`';
const object = 'a JSON object';

/** The accepted values of `content` and `system`. */
export const BLOCKS = 'a string or an array of content blocks';

const flag = z.boolean('true or false').nullish();

// Unknown blocks, tools and members of newer clients are accepted: only clear mistakes are refused.
const blocks = z.union(
  [
    z.string(),
    z.array(
      z.looseObject({}).describe('A content block, such as text, image, document, tool_use or tool_result.'),
    ),
  ],
  BLOCKS,
);

const message = z.looseObject(
  {
    role: z
      .enum(['user', 'assistant', 'system'], 'user, assistant or system')
      .describe('A system message in the list joins the user turn beside it.'),
    content: blocks,
  },
  object,
);

const customTool = z.looseObject({
  name: z.string().min(1),
  description: z.unknown().optional().describe('What the tool does, a string.'),
  input_schema: z.looseObject({}).describe('A JSON Schema of the arguments.'),
});

const serverTool = z
  .looseObject({ input_schema: z.null().optional() })
  .describe('A tool that only its vendor can run; it is left out.');

const toolChoice = z.looseObject(
  {
    type: z.string(choice).describe('`auto`, `any`, `none` or `tool`.'),
    name: z.string(text).nullish(),
    disable_parallel_tool_use: flag,
  },
  choice,
);

const tool = z.union(
  [customTool, serverTool],
  'a tool with a `name`, a string, and an `input_schema`, an object',
);

const promptFields = {
  messages: z.array(message, nonEmptyMessages).min(1, nonEmptyMessages),
  system: blocks.nullish().describe("Replaces the stack's prompt, also when it is empty."),
  tools: z.array(tool, tools).nullish(),
  tool_choice: toolChoice.nullish(),
  output_config: z
    .looseObject(
      {
        format: z
          .unknown()
          .optional()
          .describe('`{"type": "json_schema", "schema": {…}}`: the answer is JSON of that schema.'),
      },
      object,
    )
    .nullish(),
};

/** The body of a messages request. */
export const messagesRequestSchema = z.looseObject(
  {
    model: z.string(text).describe("Any name; the stack's model answers."),
    ...promptFields,
    max_tokens: tokenLimitField,
    stream: flag,
    include: includeFieldSchema,
    temperature: numberFields.temperature.nullish(),
    top_p: numberFields.topP.nullish(),
    top_k: numberFields.integer.nullish(),
    stop_sequences: z.array(z.string(text), stop).max(MAX_STOP_SEQUENCES, stop).nullish(),
  },
  object,
);

/** The body of a token count: the fields that make the prompt. */
export const messagesCountSchema = z.looseObject(promptFields, object);

const unreadBlocks = z.union([z.string(), z.array(z.unknown())], BLOCKS);

/** Item schemas of the lists in a body; blocks stay unchecked. */
export const listItemSchemas = { messages: message.extend({ content: unreadBlocks }), tools: tool };

const unreadLists = {
  system: unreadBlocks.nullish(),
  messages: z.array(z.unknown(), nonEmptyMessages).min(1, nonEmptyMessages),
  tools: z.array(z.unknown(), tools).nullish(),
};

/** A messages request with unchecked lists, which are parsed item by item. */
export const requestFieldsSchema = messagesRequestSchema.extend(unreadLists);

/** The same for a token count. */
export const countFieldsSchema = messagesCountSchema.extend(unreadLists);

/** The fields of both. */
export type UnreadFields = z.infer<typeof countFieldsSchema>;

/** The fields that make the prompt of a checked body. */
export type PromptFields = z.infer<typeof messagesCountSchema>;

/** A checked body. */
export type MessagesRequest = z.infer<typeof messagesRequestSchema>;

/** The fields of a request besides the long lists. */
export type ShortRequest = Pick<
  MessagesRequest,
  'model' | 'stream' | 'include' | 'system' | 'tool_choice' | 'output_config' | keyof SamplingFields
>;

/** The sampling fields. */
export type SamplingFields = Pick<
  MessagesRequest,
  'max_tokens' | 'temperature' | 'top_p' | 'top_k' | 'stop_sequences'
>;

/** One entry of `messages`. */
export type MessageFields = z.infer<typeof message>;

/** The type of `content` and `system`. */
export type ContentField = z.infer<typeof blocks>;
