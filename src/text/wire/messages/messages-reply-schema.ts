import { z } from 'zod';
import { knowledgeFieldSchema } from '../knowledge-field.ts';

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
