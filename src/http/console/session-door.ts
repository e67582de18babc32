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

export interface SessionDoorParts {
  readonly sessions: Pick<Sessions, 'find'>;
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
  async sessionOfRequest({ method = '', headers }: Incoming): Promise<Session> {
    const header: HeaderReader = (name) => {
      const value = headers[name];
      return typeof value === 'string' ? value : value?.join(', ');
    };
    requireSameOrigin(method, header, this.#parts.origin);
    return await this.requireSession(header);
  }

  async requireSession(header: HeaderReader): Promise<Session> {
    const session = await this.findSession(header);
    if (session !== undefined) return session;
    throw new Fault('session-required', 'You are not logged in, or were for too long. Log in at /console/.');
  }

  async findSession(header: HeaderReader): Promise<Session | undefined> {
    const token = this.tokenOf(header);
    return token === undefined ? undefined : await this.#parts.sessions.find(token);
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
