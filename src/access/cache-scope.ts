import { createHash } from 'node:crypto';

const LABEL = 'stackgate prompt cache';

/**
 * Whose prompts may share a cache: all requests of one stack, and nobody else's, for how quickly a prompt is read tells what was
 * read before. The same in every process and after every start; it tells a model server nothing but which requests belong together.
 */
export function cacheScopeOf({ account, id }: { readonly account: string; readonly id: string }): string {
  return createHash('sha256')
    .update(JSON.stringify([LABEL, account, id]))
    .digest('base64url');
}
