import type { DeclaredStack } from './config.ts';

/** Used if the file declares no stack: the first engine of each kind and one generated key. */
export const defaultStack = Object.freeze({
  id: 'default',
  account: 'default',
  plan: 'max',
  imagePlan: true,
} satisfies Partial<DeclaredStack>);
