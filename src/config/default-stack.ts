import type { DeclaredStack } from './config.ts';

/** The stack that exists while the file declares none; it uses the first engine of each kind and one generated key. */
export const defaultStack = Object.freeze({
  id: 'default',
  account: 'default',
  plan: 'max',
  imagePlan: true,
} satisfies Partial<DeclaredStack>);
