import type { DeclaredStack } from './config.ts';

/** The system text of the default stack for chats that bring none: without one, small models answer "Hello" with a tale. */
export const DEFAULT_CHAT_PROMPT = 'You are a helpful AI chatbot. Keep your answers short.';

/** Used if the file declares no stack: the first engine of each kind and one generated key. */
export const defaultStack = Object.freeze({
  id: 'default',
  account: 'default',
  plan: 'max',
  imagePlan: true,
} satisfies Partial<DeclaredStack>);

/** The id of its generated key. */
export const DEFAULT_KEY_ID = 'default';
