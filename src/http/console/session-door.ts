import type { CallerDirectory } from '../../access/caller-directory.ts';
import type { Operator } from '../../access/operator.ts';
import { Fault } from '../../faults/fault.ts';
import type { Session, Sessions } from '../../people/sessions.ts';
import type { Incoming } from '../incoming.ts';
import type { LinkOrigin } from '../link-origin.ts';
import type { OperatorDoor } from '../operator-door.ts';
import { requireSameOrigin } from './same-origin.ts';
import {
  type ConsoleCookie,
  type HeaderReader,
  readCookie,
  sessionCookie,
  writeCookie,
} from './session-cookie.ts';
import { sessionRefusal } from './session-refusal.ts';

export interface SessionDoorParts {
  readonly sessions: Pick<Sessions, 'find'>;
  /** Finds the caller of a key that was pasted. */
  readonly findKey: CallerDirectory['findKey'];
  readonly origin: LinkOrigin;
}

/** The door of people, which opens with the cookie of a session, for pages of the console alone. */
export class SessionDoor implements OperatorDoor {
  readonly #parts: SessionDoorParts;

  constructor(parts: SessionDoorParts) {
    this.#parts = parts;
  }

  async operatorOf(incoming: Incoming): Promise<Operator> {
    return operatorOf(await this.sessionOfRequest(incoming), incoming.address);
  }

  /** The session of a request; throws if there is none, or a page of another origin sent it. */
  async sessionOfRequest({ method = '', headers, address }: Incoming): Promise<Session> {
    const header: HeaderReader = (name) => {
      const value = headers[name];
      return typeof value === 'string' ? value : value?.join(', ');
    };
    requireSameOrigin(method, header, this.#parts.origin);
    return await this.requireSession(header, address);
  }

  async requireSession(header: HeaderReader, address: string): Promise<Session> {
    const session = await this.findSession(header, address);
    if (session !== undefined) return session;
    throw new Fault('session-required', 'You are not logged in, or were for too long. Log in at /console/.');
  }

  /** The session of a browser at an address. That of a key counts as none where and while the key could not open one. */
  async findSession(header: HeaderReader, address: string): Promise<Session | undefined> {
    const { sessions, findKey } = this.#parts;
    const token = this.tokenOf(header);
    const session = token === undefined ? undefined : await sessions.find(token);
    if (session?.keyId === undefined) return session;
    const known = await findKey(session.stackId ?? '', session.keyId);
    const isRefused = known === undefined || sessionRefusal(known.caller, address) !== undefined;
    return isRefused ? undefined : session;
  }

  /** The token that the browser sent, valid or not. */
  tokenOf(header: HeaderReader): string | undefined {
    return this.read(sessionCookie, header);
  }

  read(cookie: ConsoleCookie, header: HeaderReader): string | undefined {
    return readCookie(cookie, header, this.#isSecure(header));
  }

  /** The header that sets a cookie in the browser of this request, or removes it. */
  write(
    cookie: ConsoleCookie,
    value: string | undefined,
    header: HeaderReader,
  ): Readonly<Record<string, string>> {
    return writeCookie(cookie, value, this.#isSecure(header));
  }

  #isSecure(header: HeaderReader): boolean {
    return this.#parts.origin.urlOf('', { header }).startsWith('https:');
  }
}

/** The operator of a session. */
export function operatorOf({ name, role, stackId, keyId }: Session, address: string): Operator {
  return {
    name,
    door: 'console',
    // With a key one may look, and do in the playground what the key may.
    role: keyId === undefined ? role : 'read-only',
    ...(stackId !== undefined && { stackId }),
    address,
  };
}
