import type { KeyValues } from '../src/store/key-records.ts';
import type { StackValues } from '../src/store/stack-records.ts';

/** A stored stack with nothing set. */
export const storedStack: StackValues = {
  id: 'shop',
  accountId: 'shop',
  plan: 'go',
  imagePlan: false,
  textEngines: null,
  imageEngine: null,
  models: null,
  systemPrompt: null,
  temperature: null,
  paused: false,
  storeResponses: true,
  limits: { extraction: {}, pdf: {}, images: {} },
  budget: null,
  declared: false,
};

/** A stored key of that stack. */
export const storedKey: KeyValues = {
  stackId: 'shop',
  id: 'web',
  prompt: null,
  retrieval: false,
  knowledge: null,
  expiresAt: null,
  limits: {},
  budget: null,
  scopes: null,
  allowedModels: null,
  allowedIps: null,
  readOnly: false,
  ownImagesOnly: false,
  declared: false,
};
