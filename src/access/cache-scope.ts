import { createHash } from 'node:crypto';

const LABEL = 'stackgate prompt cache';

/**
 * The prompt cache of one stack. Stacks must not share one: response time reveals which prompts were read before. The same in
 * every process and after every start; it tells a model server nothing but which requests belong together.
 */
export function cacheScopeOf({ account, id }: { readonly account: string; readonly id: string }): string {
  return createHash('sha256')
    .update(JSON.stringify([LABEL, account, id]))
    .digest('base64url');
}
