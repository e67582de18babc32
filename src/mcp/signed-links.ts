import type { Caller } from '../access/caller.ts';
import type { FileLinks } from '../files/file-links.ts';
import type { ToolWork } from './tool.ts';

/** A link that works without a key until it expires. */
export interface KeylessLink {
  readonly url: string;
  readonly expiresAt: Date;
}

/** Makes links for clients of tools, with the host that they reached. */
export async function signedLink(
  links: Pick<FileLinks, 'sign'>,
  { method, id }: { readonly method: 'GET' | 'PUT'; readonly id: string },
  { caller, origin }: Pick<ToolWork, 'caller' | 'origin'>,
): Promise<KeylessLink> {
  const { path, expiresAt } = await links.sign({ method, id, ...holderOf(caller) });
  return { url: `${origin}${path}`, expiresAt };
}

function holderOf({ stack, key }: Caller): { readonly stackId: string; readonly keyId: string } {
  return { stackId: stack.id, keyId: key.id };
}
