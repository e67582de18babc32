import { z } from 'zod';
import { Fault } from '../../faults/fault.ts';
import type { TextService } from '../../text/text-service.ts';
import { openCount } from '../../text/wire/messages/messages-wire.ts';
import { type McpTool, tool } from '../tool.ts';

export function countTokens(text: Pick<TextService, 'count'>): McpTool {
  return tool({
    name: 'count_tokens',
    title: 'Count tokens',
    description: "Counts the tokens that the stack's model reads for a text or a list of messages.",
    input: z.object({
      text: z.string().optional(),
      messages: z
        .array(z.looseObject({ role: z.enum(['user', 'assistant']), content: z.string() }))
        .optional()
        .describe('In place of text.'),
    }),
    output: z.object({ tokens: z.int() }),
    isReadOnly: true,
    scope: 'messages',
    isForReaders: true,
    isOffered: () => true,
    call: async (asked, { caller, meter, signal }) => {
      const { conversation } = openCount({ messages: messagesOf(asked) });
      return { data: { tokens: await text.count(caller, { conversation, meter, signal }) } };
    },
  });
}

function messagesOf({
  text,
  messages,
}: {
  readonly text?: string | undefined;
  readonly messages?: readonly object[] | undefined;
}): readonly object[] {
  if ((text === undefined) === (messages === undefined))
    throw new Fault('invalid-request', 'Send either `text` or `messages`.', { param: 'text' });
  return messages ?? [{ role: 'user', content: text }];
}
