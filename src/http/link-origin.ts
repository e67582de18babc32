import type { OpenRequest } from './route.ts';

export interface LinkOriginOptions {
  /** As clients see the gateway, without a trailing slash. */
  readonly publicUrl: string | undefined;
  /** Whether requests may come through proxies that are trusted. */
  readonly behindProxy: boolean;
  /** Whether the gateway itself speaks TLS. */
  readonly isSecure?: boolean;
}

/** A host with a port; anything else is not repeated in a link. */
const HOST = /^[\w.-]+(?::\d+)?$|^\[[\da-f:.]+\](?::\d+)?$/i;

/** Writes links with the address under which the client knows the gateway. */
export class LinkOrigin {
  readonly #options: LinkOriginOptions;

  constructor(options: LinkOriginOptions) {
    this.#options = options;
  }

  /** The address of a path; the path alone if the request names no host. */
  urlOf(path: string, request: Pick<OpenRequest, 'header'>): string {
    const { publicUrl, behindProxy, isSecure: isOwn = false } = this.#options;
    if (publicUrl !== undefined) return publicUrl + path;
    const host = request.header('host') ?? '';
    if (!HOST.test(host)) return path;
    const isSecure = isOwn || (behindProxy && request.header('x-forwarded-proto') === 'https');
    return `${isSecure ? 'https' : 'http'}://${host}${path}`;
  }
}
