import type { Conversation } from '../../src/text/conversation.ts';

/** A conversation in which a user says hello, with overrides. */
export function conversation(changes: Partial<Conversation> = {}): Conversation {
  return {
    system: undefined,
    turns: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
    tools: [],
    toolChoice: 'auto',
    parallelToolCalls: true,
    output: { type: 'text' },
    sampling: {
      maxTokens: 8000,
      temperature: undefined,
      topP: undefined,
      topK: undefined,
      stop: [],
      seed: undefined,
      presencePenalty: undefined,
      frequencyPenalty: undefined,
    },
    templateArguments: {},
    ...changes,
  };
}
