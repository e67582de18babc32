import { z } from 'zod';
import { quotedJson } from '../../../lib/quoted-json.ts';
import { onlyText, type Reply, type ReplyBlock } from '../../reply.ts';
import type { FinishReason, Usage } from '../../text-event.ts';
import { knowledgeFieldSchema, knowledgeMember } from '../knowledge-field.ts';

const count = z.int().min(0);

const toolCall = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string().describe('JSON text.') }),
});

const message = z.object({
  role: z.literal('assistant'),
  content: z.string().nullable().describe('`null` where the answer only calls tools.'),
  reasoning_content: z.string().optional().describe('What the model thought, where it shows that.'),
  refusal: z.null(),
  tool_calls: z.array(toolCall).optional(),
});

const usage = z.object({ prompt_tokens: count, completion_tokens: count, total_tokens: count });

const finishReason = z.enum(['stop', 'length', 'tool_calls']);

/** A whole answer, for the API description. */
export const chatReplySchema = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.int().describe('Unix time in seconds.'),
  model: z.string().describe('The name asked for, or the model of the engine that stood in.'),
  choices: z
    .array(z.object({ index: z.literal(0), message, finish_reason: finishReason, logprobs: z.null() }))
    .length(1),
  usage,
  knowledge: knowledgeFieldSchema.optional(),
});

/** Members that all answers and chunks of one request share. */
export interface AnswerIdentity {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

/**
 * The body of a whole answer as JSON. A single text, as most answers are, is written without an object: JSON.stringify of one took
 * a twentieth of a small request.
 */
export function chatReplyJson(identity: AnswerIdentity, reply: Reply): string {
  const text = onlyText(reply);
  if (text === undefined) return JSON.stringify(chatReply(identity, reply));
  const { reason, usage, standIn } = reply;
  const { id, created, model } = identity;
  const { promptTokens, completionTokens } = usage;
  const message = `{"role":"assistant","content":${JSON.stringify(text)},"refusal":null}`;
  const choice = `{"index":0,"message":${message},"finish_reason":"${finishReasons[reason]}","logprobs":null}`;
  const tokens = `"prompt_tokens":${promptTokens},"completion_tokens":${completionTokens},"total_tokens":${promptTokens + completionTokens}`;
  return `{"id":"${id}","object":"chat.completion","created":${created},"model":${quotedJson(standIn ?? model)},"choices":[${choice}],"usage":{${tokens}}}`;
}

function chatReply(
  { id, created, model }: AnswerIdentity,
  { blocks, reason, usage, standIn, knowledge }: Reply,
): z.infer<typeof chatReplySchema> {
  return {
    id,
    object: 'chat.completion',
    created,
    model: standIn ?? model,
    choices: [{ index: 0, message: messageOf(blocks), finish_reason: finishReasons[reason], logprobs: null }],
    usage: chatUsage(usage),
    ...knowledgeMember(knowledge),
  };
}

/** The finish reasons of this format. */
export const finishReasons = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  // The format has no value for an answer that a server's filter ended.
  refusal: 'stop',
} as const satisfies Record<FinishReason, z.infer<typeof finishReason>>;

/** Usage in this format. */
export function chatUsage({ promptTokens, completionTokens }: Usage): z.infer<typeof usage> {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

/** Arguments of a call without any, since clients parse them as JSON. */
export const NO_ARGUMENTS = '{}';

function messageOf(blocks: readonly ReplyBlock[]): z.infer<typeof message> {
  const content = textOf(blocks, 'text');
  const reasoning = textOf(blocks, 'reasoning');
  const calls = toolCallsOf(blocks);
  return {
    role: 'assistant',
    content: content === '' && calls.length > 0 ? null : content,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    refusal: null,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function textOf(blocks: readonly ReplyBlock[], type: 'text' | 'reasoning'): string {
  return blocks
    .filter(({ block }) => block.type === type)
    .map(({ text }) => text)
    .join('');
}

function toolCallsOf(blocks: readonly ReplyBlock[]): z.infer<typeof toolCall>[] {
  return blocks.flatMap(({ block, text }) =>
    block.type === 'tool-call'
      ? [
          {
            id: block.id,
            type: 'function',
            function: { name: block.name, arguments: text === '' ? NO_ARGUMENTS : text },
          },
        ]
      : [],
  );
}
