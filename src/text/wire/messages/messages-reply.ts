import { isRecord } from '../../../lib/json-record.ts';
import type { Reply, ReplyBlock } from '../../reply.ts';
import type { FinishReason } from '../../text-event.ts';
import { knowledgeMember } from '../knowledge-field.ts';
import type { MessagesReply } from './messages-reply-schema.ts';

type StopFields = Pick<MessagesReply, 'stop_reason' | 'stop_sequence'>;

/** The id and the model of an answer. */
export interface AnswerName {
  readonly id: string;
  readonly model: string;
}

/** The body of a whole answer. */
export function renderReply(reply: Reply, name: AnswerName): MessagesReply {
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
  try {
    const input: unknown = JSON.parse(text);
    return isRecord(input) ? input : { _raw: text };
  } catch {
    return { _raw: text };
  }
}
