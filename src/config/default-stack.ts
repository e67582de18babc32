import type { DeclaredStack } from './config.ts';

/** What an embedded model on the default stack is told in chats that bring no system text: without one, small models answer "Hello" with a tale. */
export const DEFAULT_CHAT_PROMPT = 'You are a helpful AI chatbot. Keep your answers short.';

/** The stack that exists while the file declares none; it uses the first engine of each kind and one generated key. */
export const defaultStack = Object.freeze({
  id: 'default',
  account: 'default',
  plan: 'max',
  imagePlan: true,
} satisfies Partial<DeclaredStack>);
