import { Fault } from '../faults/fault.ts';
import type { WallClock } from '../lib/wall-clock.ts';
import type { LogInNote } from './log-in-note.ts';
import type { LogInThrottle } from './log-in-throttle.ts';
import type { PasswordHasher } from './password-hasher.ts';
import type { PeopleStore } from './people-store.ts';
import { personName, type SetupLink, type Standing } from './person.ts';
import type { PastedRights, PastedSecret } from './session-store.ts';
import type { OpenedSession, Session, Sessions } from './sessions.ts';
import { hashToken } from './token.ts';

const MIN_PASSWORD = 12;
const MAX_PASSWORD = 256;

export interface LogInsParts {
  readonly people: PeopleStore;
  readonly sessions: Sessions;
  readonly passwords: PasswordHasher;
  readonly throttle: LogInThrottle;
  readonly clock: WallClock;
  /** Records events that change nothing in the audit; a change is recorded where it is written. */
  readonly note: (note: LogInNote) => Promise<void>;
}

/** Where a log-in comes from. */
export interface LogInOrigin {
  readonly address: string;
  /** The session that the browser has already; it ends. */
  readonly formerToken: string | undefined;
}

/** Logs people in and out, and sets their passwords. */
export class LogIns {
  readonly #parts: LogInsParts;

  constructor(parts: LogInsParts) {
    this.#parts = parts;
  }

  /** Refuses an unknown name and a wrong password alike. */
  async byPassword(
    { name, password }: { readonly name: string; readonly password: string },
    origin: LogInOrigin,
  ): Promise<OpenedSession> {
    const { people, passwords, throttle } = this.#parts;
    const account = personName(name);
    const attempt = throttle.begin(origin.address, account);
    const person = account === undefined ? undefined : await people.find(account);
    if (!(await passwords.matches(password, person?.passwordHash, origin.address)) || person === undefined) {
      // An unknown name may be anything, also a password that was typed into the wrong field.
      const actor = person?.name ?? '';
      await this.#parts.note({ actor, action: 'log-in-refused', address: origin.address });
      throw new Fault('log-in-refused', 'The name or the password is wrong.');
    }
    attempt.succeed();
    return await this.#open(person.name, person, origin);
  }

  /** Exchanges a key for a session of its stack, which may do no more than the key. */
  async byKey(key: PastedSecret, rights: PastedRights, origin: LogInOrigin): Promise<OpenedSession> {
    const { throttle, sessions } = this.#parts;
    throttle.countKey(`${key.stackId}/${key.keyId}`);
    const standing = { role: 'member', stackId: key.stackId } as const;
    return await sessions.open({ owner: { key }, standing, rights, ...origin });
  }

  /** Logs in a person whom the provider of OpenID Connect has named. */
  byOidc(
    { name, ...standing }: Standing & { readonly name: string },
    origin: LogInOrigin,
  ): Promise<OpenedSession> {
    return this.#open(name, standing, origin);
  }

  /** Ends the sessions of a person to whom the provider gives no role any more. */
  async refuseOidc(name: string, address: string): Promise<void> {
    await this.#parts.people.endSessions({ actor: name, action: 'log-in-refused', address });
  }

  /** Sets the password of the person of a link, and logs in. */
  async byLink(
    asked: { readonly token: string; readonly name: string | undefined; readonly password: string },
    origin: LogInOrigin,
  ): Promise<OpenedSession> {
    const { people, passwords, clock, throttle } = this.#parts;
    const attempt = throttle.begin(origin.address);
    const link = await this.#linkOf(asked.token);
    const name = nameOf(link, asked.name);
    requireGoodPassword(asked.password, name);
    attempt.succeed();
    if (link.name === undefined && (await people.find(name)) !== undefined) throw nameTaken(name);
    const passwordHash = await passwords.hash(asked.password, origin.address);
    const { address } = origin;
    const note = { actor: name, action: 'set-up', address, standing: link } as const;
    const change = { name, passwordHash, at: new Date(clock.nowMs()), note };
    if (!(await people.useLink(link.tokenHash, change))) throw linkRefused();
    return await this.#open(name, link, origin);
  }

  /** Ends all sessions of the person, and opens a new one. */
  async changePassword(
    session: Session,
    { current, password }: { readonly current: string; readonly password: string },
    origin: LogInOrigin,
  ): Promise<OpenedSession> {
    const { people, passwords, throttle, clock, sessions } = this.#parts;
    const { address, formerToken } = origin;
    const person = session.door === 'password' ? await people.find(session.name) : undefined;
    if (person?.passwordHash === undefined) {
      throw new Fault('invalid-request', 'This session has no password that could be changed.');
    }
    const attempt = throttle.begin(address, person.name);
    if (!(await passwords.matches(current, person.passwordHash, address))) {
      throw new Fault('invalid-request', 'The current password is wrong.', { param: 'current' });
    }
    attempt.succeed();
    requireGoodPassword(password, person.name);
    const passwordHash = await passwords.hash(password, address);
    const { name, role, stackId } = person;
    const note = { actor: name, action: 'change-password', address } as const;
    await people.setPassword({ name, passwordHash, at: new Date(clock.nowMs()), note });
    return await sessions.open({ owner: { person: name }, standing: { role, stackId }, formerToken });
  }

  end(session: Session, address: string): Promise<void> {
    return this.#parts.sessions.end(session, address);
  }

  #open(name: string, { role, stackId }: Standing, origin: LogInOrigin): Promise<OpenedSession> {
    return this.#parts.sessions.open({ owner: { person: name }, standing: { role, stackId }, ...origin });
  }

  async #linkOf(token: string): Promise<SetupLink> {
    const tokenHash = hashToken(token);
    const link = tokenHash === undefined ? undefined : await this.#parts.people.findLink(tokenHash);
    if (link === undefined || link.expiresAt.getTime() <= this.#parts.clock.nowMs()) throw linkRefused();
    return link;
  }
}

function nameOf(link: SetupLink, asked: string | undefined): string {
  if (link.name !== undefined) return link.name;
  const name = asked === undefined ? undefined : personName(asked);
  if (name !== undefined) return name;
  const message =
    '`name` must be 1 to 100 lower-case letters, digits or any of `@._+-`, and begin with a letter or digit.';
  throw new Fault('invalid-request', message, { param: 'name' });
}

function requireGoodPassword(password: string, name: string): void {
  const { length } = password;
  if (length >= MIN_PASSWORD && length <= MAX_PASSWORD && password.toLowerCase() !== name) return;
  const message = `\`password\` must have ${MIN_PASSWORD} to ${MAX_PASSWORD} characters and differ from the name.`;
  throw new Fault('invalid-request', message, { param: 'password' });
}

function nameTaken(name: string): Fault {
  return new Fault('invalid-request', `There is a person "${name}" already; choose another name.`, {
    param: 'name',
  });
}

function linkRefused(): Fault {
  return new Fault(
    'setup-link-refused',
    'This link was used already, or is older than 30 minutes. "stackgate console invite" or "reset" makes another one.',
  );
}
