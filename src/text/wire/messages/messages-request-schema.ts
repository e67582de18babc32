import { z } from 'zod';
import { MAX_STOP_SEQUENCES } from '../../text-limits.ts';

// Each text completes "`field` …": it says what is accepted.
const textError = { error: 'must be a string' };
const flagError = { error: 'must be true or false' };
const integerError = { error: 'must be an integer' };
const temperatureError = { error: 'must be a number from 0 to 2' };
const topPError = { error: 'must be a number above 0 and at most 1' };
const stopError = { error: `must be a list of at most ${MAX_STOP_SEQUENCES} strings` };
const messagesError = { error: 'must be a list of at least one message' };
const blocksError = { error: 'must be a string or a list of content blocks' };
const toolError = { error: 'must have a `name`, a string, and an `input_schema`, an object' };
const toolsError = { error: 'must be a list of tools' };
const choiceError = { error: 'must be an object with a `type`' };
const objectError = { error: 'must be a JSON object' };

const integer = z.number(integerError).refine(Number.isInteger, integerError).meta({ type: 'integer' });

// Blocks, tools and members of newer clients pass: only what no client means is refused.
const blocks = z.union(
  [
    z.string(),
    z.array(
      z.looseObject({}).describe('A content block, such as text, image, document, tool_use or tool_result.'),
    ),
  ],
  blocksError,
);

const message = z.looseObject(
  {
    role: z
      .enum(['user', 'assistant', 'system'], { error: 'must be "user", "assistant" or "system"' })
      .describe('A system message in the list joins the user turn beside it.'),
    content: blocks,
  },
  objectError,
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
    type: z.string(choiceError).describe('`auto`, `any`, `none` or `tool`.'),
    name: z.string(textError).nullish(),
    disable_parallel_tool_use: z.boolean(flagError).nullish(),
  },
  choiceError,
);

const tool = z.union([customTool, serverTool], toolError);

const promptFields = {
  messages: z.array(message, messagesError).min(1, messagesError),
  system: blocks.nullish().describe("Replaces the stack's prompt, also when it is empty."),
  tools: z.array(tool, toolsError).nullish(),
  tool_choice: toolChoice.nullish(),
  output_config: z
    .looseObject(
      {
        format: z
          .unknown()
          .optional()
          .describe('`{"type": "json_schema", "schema": {…}}`: the answer is JSON of that schema.'),
      },
      objectError,
    )
    .nullish(),
};

/** The body of a messages request. */
export const messagesRequestSchema = z.looseObject(
  {
    model: z.string(textError).describe("Any name; the stack's model answers."),
    ...promptFields,
    max_tokens: integer.nullish().describe('Clamped into 8000…16000; 8000 when absent.'),
    stream: z.boolean(flagError).nullish(),
    temperature: z.number(temperatureError).min(0, temperatureError).max(2, temperatureError).nullish(),
    top_p: z.number(topPError).gt(0, topPError).max(1, topPError).nullish(),
    top_k: integer.nullish(),
    stop_sequences: z.array(z.string(textError), stopError).max(MAX_STOP_SEQUENCES, stopError).nullish(),
  },
  objectError,
);

/** The body of a token count: what makes the prompt, and nothing else of a messages request. */
export const messagesCountSchema = z.looseObject(promptFields, objectError);

const unreadBlocks = z.union([z.string(), z.array(z.unknown())], blocksError);

/** The lists of a body, each by the schema of its items; blocks are not looked into. */
export const listItemSchemas = { messages: message.extend({ content: unreadBlocks }), tools: tool };

/** What a list of blocks breaks that has something else in it. */
export const blocksRule = blocksError.error;

const unreadLists = {
  system: unreadBlocks.nullish(),
  messages: z.array(z.unknown(), messagesError).min(1, messagesError),
  tools: z.array(z.unknown(), toolsError).nullish(),
};

/** The body of a messages request whose lists are not looked into: they are read item by item. */
export const requestFieldsSchema = messagesRequestSchema.extend(unreadLists);

/** The body of a token count, likewise. */
export const countFieldsSchema = messagesCountSchema.extend(unreadLists);

/** What makes the prompt of a checked body. */
export type PromptFields = z.infer<typeof messagesCountSchema>;

/** A checked body. */
export type MessagesRequest = z.infer<typeof messagesRequestSchema>;

/** What is asked beside the long lists. */
export type ShortRequest = Pick<
  MessagesRequest,
  | 'model'
  | 'stream'
  | 'system'
  | 'tool_choice'
  | 'output_config'
  | 'max_tokens'
  | 'temperature'
  | 'top_p'
  | 'top_k'
  | 'stop_sequences'
>;

/** One entry of `messages`. */
export type MessageFields = z.infer<typeof message>;

/** What `content` and `system` can be. */
export type ContentField = z.infer<typeof blocks>;
