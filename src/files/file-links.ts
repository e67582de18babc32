import { createHmac, timingSafeEqual } from 'node:crypto';
import { Fault } from '../faults/fault.ts';
import type { WallClock } from '../lib/wall-clock.ts';

/** How long a link can be used. */
const LINK_SECONDS = 3_600;

/** The right that a link gives: one method on one thing, as a key of a stack. */
export interface LinkGrant {
  readonly method: 'GET' | 'PUT';
  /** Of a file or an image. */
  readonly id: string;
  readonly stackId: string;
  readonly keyId: string;
}

/** A link without its host. */
export interface SignedLink {
  readonly path: string;
  readonly expiresAt: Date;
}

/** A link as it was called. */
export interface CalledLink {
  readonly method: string;
  readonly id: string;
  readonly exp: string | null;
  readonly sig: string | null;
}

export interface FileLinksParts {
  /** The same on all replicas. */
  readonly secret: () => Promise<Uint8Array>;
  readonly clock: WallClock;
}

// The ids of stack and key are in the signature, so that a forged one costs no query.
const SIGNATURE = /^([a-z0-9-]{1,200})\.([a-z0-9-]{1,200})\.([\w-]{43})$/;
const TIME = /^\d{1,11}$/;

/** Makes and checks links that work without a key, for an hour. */
export class FileLinks {
  readonly #parts: FileLinksParts;

  constructor(parts: FileLinksParts) {
    this.#parts = parts;
  }

  async sign(grant: LinkGrant): Promise<SignedLink> {
    const exp = Math.floor(this.#parts.clock.nowMs() / 1000) + LINK_SECONDS;
    const code = (await this.#codeOf(grant, exp)).toString('base64url');
    const sig = `${grant.stackId}.${grant.keyId}.${code}`;
    return { path: `/files/${grant.id}?exp=${exp}&sig=${sig}`, expiresAt: new Date(exp * 1000) };
  }

  /** The grant of the link; one fault for everything that is wrong with it but its age. */
  async verify({ method, id, exp, sig }: CalledLink): Promise<LinkGrant> {
    const [, stackId, keyId, code] = SIGNATURE.exec(sig ?? '') ?? [];
    if (method !== 'GET' && method !== 'PUT') throw refused();
    if (stackId === undefined || keyId === undefined || code === undefined || !TIME.test(exp ?? ''))
      throw refused();
    const grant: LinkGrant = { method, id, stackId, keyId };
    const expected = await this.#codeOf(grant, Number(exp));
    const given = Buffer.from(code, 'base64url');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw refused();
    if (Number(exp) * 1000 <= this.#parts.clock.nowMs())
      throw new Fault('link-refused', 'This link is over: it could be used for an hour. Ask for a new one.');
    return grant;
  }

  async #codeOf({ method, id, stackId, keyId }: LinkGrant, exp: number): Promise<Buffer> {
    const text = JSON.stringify(['stackgate-link', method, stackId, keyId, id, exp]);
    return createHmac('sha256', await this.#parts.secret())
      .update(text)
      .digest();
  }
}

/** The fault of a link that was not made here, or for something else. */
export function refused(): Fault {
  return new Fault('link-refused', 'The signature of this link does not fit it. Ask for a new link.');
}
