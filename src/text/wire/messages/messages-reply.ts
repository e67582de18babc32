import { z } from 'zod';
import { isRecord, tryParseJson } from '../../../lib/json-record.ts';
import { quotedJson } from '../../../lib/quoted-json.ts';
import { onlyText, type Reply, type ReplyBlock } from '../../reply.ts';
import type { FinishReason } from '../../text-event.ts';
import { knowledgeFieldSchema, knowledgeMember } from '../knowledge-field.ts';

const textBlock = z.object({ type: z.literal('text'), text: z.string() });

const thinkingBlock = z.object({
  type: z.literal('thinking'),
  thinking: z.string(),
  signature: z.string().describe('Always empty.'),
});

const toolUseBlock = z.object({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z
    .record(z.string(), z.unknown())
    .describe('The arguments; `{"_raw": "…"}` where the model wrote something that is no JSON object.'),
});

const tokens = z.int().min(0);

/** The body of a whole answer. */
export const messagesReplySchema = z.object({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  content: z.array(z.union([textBlock, thinkingBlock, toolUseBlock])),
  stop_reason: z.enum(['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'refusal']),
  stop_sequence: z.string().nullable(),
  usage: z.object({
    input_tokens: tokens,
    output_tokens: tokens,
    cache_creation_input_tokens: tokens.describe('Always 0.'),
    cache_read_input_tokens: tokens.describe('Always 0.'),
  }),
  knowledge: knowledgeFieldSchema.optional(),
});

/** A whole answer. */
export type MessagesReply = z.infer<typeof messagesReplySchema>;

type StopFields = Pick<MessagesReply, 'stop_reason' | 'stop_sequence'>;

/** The id and the model of an answer. */
export interface AnswerName {
  readonly id: string;
  readonly model: string;
}

/** The body of a whole answer as JSON. A single text is written without an object, like that of a chat. */
export function messagesReplyJson(reply: Reply, name: AnswerName): string {
  const text = onlyText(reply);
  if (text === undefined) return JSON.stringify(renderReply(reply, name));
  const { standIn, usage } = reply;
  const { stop_reason, stop_sequence } = stopFields(reply, false);
  const stop = `"stop_reason":"${stop_reason}","stop_sequence":${JSON.stringify(stop_sequence)}`;
  const tokens = `"input_tokens":${usage.promptTokens},"output_tokens":${usage.completionTokens},"cache_creation_input_tokens":0,"cache_read_input_tokens":0`;
  return `{"id":"${name.id}","type":"message","role":"assistant","model":${quotedJson(standIn ?? name.model)},"content":[{"type":"text","text":${JSON.stringify(text)}}],${stop},"usage":{${tokens}}}`;
}

function renderReply(reply: Reply, name: AnswerName): MessagesReply {
  const hasToolCall = reply.blocks.some(({ block }) => block.type === 'tool-call');
  const { stop_reason, stop_sequence } = stopFields(reply, hasToolCall);
  return {
    id: name.id,
    type: 'message',
    role: 'assistant',
    model: reply.standIn ?? name.model,
    content: reply.blocks.map(contentBlock),
    stop_reason,
    stop_sequence,
    usage: usageFields(reply.usage.promptTokens, reply.usage.completionTokens),
    ...knowledgeMember(reply.knowledge),
  };
}

/** The stop reason. A tool call overrides every other reason: clients act on calls only then. */
export function stopFields(finish: Pick<Reply, 'reason' | 'stopSequence'>, hasToolCall: boolean): StopFields {
  if (hasToolCall) return { stop_reason: 'tool_use', stop_sequence: null };
  if (finish.reason === 'stop' && finish.stopSequence !== undefined)
    return { stop_reason: 'stop_sequence', stop_sequence: finish.stopSequence };
  return { stop_reason: stopReasons[finish.reason], stop_sequence: null };
}

/** The four counters; those of the cache are always 0. */
export function usageFields(promptTokens: number, completionTokens: number): MessagesReply['usage'] {
  return {
    input_tokens: promptTokens,
    output_tokens: completionTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
}

const stopReasons: Record<FinishReason, MessagesReply['stop_reason']> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  refusal: 'refusal',
};

function contentBlock({ block, text }: ReplyBlock): MessagesReply['content'][number] {
  switch (block.type) {
    case 'text':
      return { type: 'text', text };
    case 'reasoning':
      return { type: 'thinking', thinking: text, signature: '' };
    case 'tool-call':
      return { type: 'tool_use', id: block.id, name: block.name, input: toolInput(text) };
  }
}

// The format allows only an object. Other arguments stay visible in it, so that the tool's error shows the model its mistake.
function toolInput(text: string): Record<string, unknown> {
  if (text.trim() === '') return {};
  const input = tryParseJson(text);
  return isRecord(input) ? input : { _raw: text };
}
