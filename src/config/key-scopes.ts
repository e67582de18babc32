/** The parts of the API that a key can be restricted to. */
export const keyScopes = [
  'chat',
  'messages',
  'responses',
  'embeddings',
  'models',
  'images',
  'extract',
  'pdf',
  'knowledge',
  'schemas',
  'files',
  'usage',
  'mcp',
] as const;

export type KeyScope = (typeof keyScopes)[number];
