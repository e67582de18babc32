import { expect } from 'vitest';
import { makeCaller } from '../fake-callers.ts';

const models = ['tiny', 'org/large'];

/** The keys of the tests of whole text requests, one with a prompt and a temperature. */
export const textCallers = {
  'sk-a': makeCaller({ stack: { models } }),
  'sk-prompt': makeCaller({ stack: { models, id: 'kind', systemPrompt: 'Be kind.', temperature: 0.2 } }),
};

/** The turn of the shortest request. */
export const plainTurn = { role: 'user', content: 'Say hello.' };

/** The upstream request of the shortest request. */
export const plainBody = {
  model: 'fake-model',
  messages: [plainTurn],
  temperature: 0.7,
  top_p: 1,
  max_tokens: 8000,
  cache_salt: expect.stringMatching(/^[\w-]{43}$/),
};
