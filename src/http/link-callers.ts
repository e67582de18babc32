import type { Caller } from '../access/caller.ts';
import type { CallerDirectory } from '../access/caller-directory.ts';
import { type FileLinks, refused } from '../files/file-links.ts';
import type { Incoming } from './incoming.ts';

export interface LinkCallersParts {
  readonly links: Pick<FileLinks, 'verify'>;
  readonly directory: Pick<CallerDirectory, 'findKey'>;
}

/** Finds the caller of a request that has a signed link instead of a key: the key that made the link. */
export class LinkCallers {
  readonly #parts: LinkCallersParts;

  constructor(parts: LinkCallersParts) {
    this.#parts = parts;
  }

  async callerOf({ method = '', url, params }: Incoming): Promise<Caller> {
    const query = new URLSearchParams(url.slice(url.indexOf('?') + 1));
    const { stackId, keyId } = await this.#parts.links.verify({
      method: method === 'HEAD' ? 'GET' : method,
      id: params.id ?? '',
      exp: query.get('exp'),
      sig: query.get('sig'),
    });
    const known = await this.#parts.directory.findKey(stackId, keyId);
    if (known === undefined) throw refused();
    return known.caller;
  }
}
