import { z } from 'zod';
import { parseJson, type StreamEvent } from './client-connection.ts';

/** The content of a well-formed stream. */
export interface StreamSummary {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

const chunkSchema = z.object({
  id: z.string(),
  object: z.literal('chat.completion.chunk'),
  choices: z.array(
    z.object({
      delta: z.object({ role: z.string().optional(), content: z.string().nullish() }),
      finish_reason: z.enum(['stop', 'length', 'tool_calls', 'content_filter']).nullable(),
    }),
  ),
  usage: z.object({ prompt_tokens: z.int(), completion_tokens: z.int() }).nullish(),
});

/** Checks a chat stream with usage; throws what would break a client. */
export function checkChatStream(events: readonly StreamEvent[]): StreamSummary {
  if (events.at(-1)?.data !== '[DONE]') throw new Error('the stream does not end with [DONE]');
  const chunks = events.slice(0, -1).map(({ data }) => match(chunkSchema, parseJson(data)));
  const choices = chunks.flatMap((chunk) => chunk.choices);
  if (choices[0]?.delta.role !== 'assistant') throw new Error('the first chunk names no role');
  if (new Set(chunks.map(({ id }) => id)).size !== 1) throw new Error('the chunks differ in their id');
  const finishes = choices.filter((choice) => choice.finish_reason !== null);
  if (finishes.length !== 1) throw new Error(`there are ${finishes.length} finish reasons and not one`);
  const last = chunks.at(-1);
  if (!last?.usage || last.choices.length > 0) throw new Error('the last chunk is not the usage');
  return { inputTokens: last.usage.prompt_tokens, outputTokens: last.usage.completion_tokens };
}

const index = z.int();
const messageEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('message_start'),
    message: z.object({
      type: z.literal('message'),
      role: z.literal('assistant'),
      usage: z.object({ input_tokens: z.int() }),
    }),
  }),
  z.object({ type: z.literal('content_block_start'), index, content_block: z.object({ type: z.string() }) }),
  z.object({ type: z.literal('content_block_delta'), index, delta: z.object({ type: z.string() }) }),
  z.object({ type: z.literal('content_block_stop'), index }),
  z.object({
    type: z.literal('message_delta'),
    delta: z.object({ stop_reason: z.string() }),
    usage: z.object({ output_tokens: z.int() }),
  }),
  z.object({ type: z.literal('message_stop') }),
  z.object({ type: z.literal('ping') }),
  z.object({ type: z.literal('error'), error: z.object({ message: z.string() }) }),
]);

// One letter per event: message_start, (block start, delta, block stop), message_delta (u), message_stop (e).
const LETTERS = {
  message_start: 'm',
  content_block_start: 's',
  content_block_delta: 'd',
  content_block_stop: 't',
  message_delta: 'u',
  message_stop: 'e',
  ping: '',
  error: '',
} as const;
const GRAMMAR = /^m(sd*t)*ue$/;

/** Checks a stream of the messages format; throws what would break a client. */
export function checkMessagesStream(events: readonly StreamEvent[]): StreamSummary {
  const parsed = events.map(({ name, data }) => {
    const event = match(messageEventSchema, parseJson(data));
    if (event.type !== name) throw new Error(`an event is named "${name}" but is a ${event.type}`);
    if (event.type === 'error') throw new Error(`the stream failed: ${event.error.message}`);
    return event;
  });
  if (!GRAMMAR.test(parsed.map(({ type }) => LETTERS[type]).join('')))
    throw new Error(`the events are out of order: ${orderOf(parsed.map(({ type }) => type))}`);
  let block = -1;
  let [inputTokens, outputTokens] = [0, 0];
  for (const event of parsed) {
    if (event.type === 'message_start') inputTokens = event.message.usage.input_tokens;
    if (event.type === 'message_delta') outputTokens = event.usage.output_tokens;
    if (event.type === 'content_block_start') block += 1;
    if ('index' in event && event.index !== block)
      throw new Error(`a ${event.type} has index ${event.index} in block ${block}`);
  }
  return { inputTokens, outputTokens };
}

function orderOf(types: readonly string[]): string {
  const runs = types.filter((type, position) => type !== types[position - 1]);
  return runs.join(', ');
}

/** Validates a value; throws with the path of the mismatch. */
export function match<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Error(`\`${issue?.path.join('.')}\`: ${issue?.message}`);
}
