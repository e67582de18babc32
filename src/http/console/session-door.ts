import { isAllowedAddress } from '../../access/key-guard.ts';
import type { Operator } from '../../access/operator.ts';
import { Fault } from '../../faults/fault.ts';
import { SessionLookups } from '../../people/session-lookups.ts';
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

/** The parts of a request by which its session is found. */
export interface Visit {
  readonly header: HeaderReader;
  readonly address: string;
}

/** The door of people, which opens with the cookie of a session, for pages of the console alone. */
export class SessionDoor implements OperatorDoor {
  readonly #parts: SessionDoorParts;
  readonly #lookups: SessionLookups;

  constructor(parts: SessionDoorParts) {
    this.#parts = parts;
    this.#lookups = new SessionLookups(parts.sessions);
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
    return await this.requireSession({ header, address });
  }

  async requireSession(visit: Visit): Promise<Session> {
    const session = await this.findSession(visit);
    if (session !== undefined) return session;
    throw new Fault('session-required', 'You are not logged in, or were for too long. Log in at /console/.');
  }

  /** `undefined` also if the session is that of a key, which may not be used from this address. */
  async findSession({ header, address }: Visit): Promise<Session | undefined> {
    const token = this.tokenOf(header);
    const session = token === undefined ? undefined : await this.#lookups.find(token, address);
    return session !== undefined && isAllowedAddress(session.key?.allowedIps, address) ? session : undefined;
  }

  /** Asks something for a visitor, when it is the turn of the address. */
  ask<Result>({ address }: Visit, question: () => Promise<Result>): Promise<Result> {
    return this.#lookups.ask(address, question);
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
export function operatorOf({ name, role, stackId, key }: Session, address: string): Operator {
  return {
    name,
    door: 'console',
    // With a key one may look, and do in the playground what the key may.
    role: key === undefined ? role : 'read-only',
    ...(stackId !== undefined && { stackId }),
    address,
    ...(key !== undefined && { pastedKey: { id: key.id, knowledge: key.knowledge } }),
  };
}
