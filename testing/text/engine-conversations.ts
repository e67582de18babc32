import type { Conversation, Sampling } from '../../src/text/conversation.ts';

/** A conversation of one short question, with overrides. */
export function conversationOf(
  given: Partial<Omit<Conversation, 'sampling'>> & { readonly sampling?: Partial<Sampling> } = {},
): Conversation {
  return {
    system: undefined,
    turns: [{ role: 'user', parts: [{ type: 'text', text: 'Say hello.' }] }],
    tools: [],
    toolChoice: 'auto',
    parallelToolCalls: true,
    output: { type: 'text' },
    templateArguments: {},
    ...given,
    sampling: {
      maxTokens: 64,
      temperature: 0,
      topP: undefined,
      topK: undefined,
      stop: [],
      seed: 1,
      presencePenalty: undefined,
      frequencyPenalty: undefined,
      ...given.sampling,
    },
  };
}

const look = {
  name: 'look',
  description: 'Looks somewhere.',
  parameters: { type: 'object', properties: { where: { type: 'string' } } },
  strict: false,
};
const text = (said: string) => ({ type: 'text', text: said }) as const;

/** Conversations of every shape that needs no vision. */
export const sampleConversations: Readonly<Record<string, Conversation>> = {
  'one question': conversationOf(),
  'a system text': conversationOf({ system: 'Be brief, über alles.' }),
  'several turns': conversationOf({
    turns: [
      { role: 'user', parts: [text('Hi'), text('there 🙂')] },
      { role: 'assistant', text: 'Hello.', toolCalls: [] },
      { role: 'user', parts: [text('And now?')] },
    ],
  }),
  'tools and their results': conversationOf({
    tools: [look],
    parallelToolCalls: false,
    turns: [
      { role: 'user', parts: [text('Look left and right.')] },
      {
        role: 'assistant',
        text: '',
        toolCalls: [
          { id: 'call_a', name: 'look', arguments: '{"where":"left"}' },
          { id: 'call_b', name: 'look', arguments: '' },
        ],
      },
      { role: 'tool', callId: 'call_a', parts: [text('a tree')], isError: false },
      { role: 'tool', callId: 'call_b', parts: [text('no such place')], isError: true },
    ],
  }),
  'arguments of the template': conversationOf({ templateArguments: { enable_thinking: false } }),
};
