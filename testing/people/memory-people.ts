import type { LogInNote } from '../../src/people/log-in-note.ts';
import type { PasswordChange, PeopleStore } from '../../src/people/people-store.ts';
import type { Person, SetupLink, Standing } from '../../src/people/person.ts';
import {
  type FoundSession,
  MAX_SESSIONS_PER_KEY,
  type PastedRights,
  type PastedSecret,
  type SessionOpening,
  type SessionStore,
  type StoredSession,
} from '../../src/people/session-store.ts';

/** People and their links, in memory. */
export class MemoryPeople implements PeopleStore {
  readonly #people = new Map<string, Person>();
  readonly #links = new Map<string, SetupLink>();
  /** The notes for the audit. */
  readonly notes: LogInNote[] = [];
  readonly sessions = new MemorySessions({
    personOf: (name) => this.#people.get(name),
    onOpen: ({ session, outside, note }) => this.#logIn(session, outside, note),
    onEnd: (note) => this.#tell(note),
  });

  async list(): Promise<readonly Person[]> {
    return [...this.#people.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  async find(name: string): Promise<Person | undefined> {
    return this.#people.get(name);
  }

  async hasAny(): Promise<boolean> {
    return this.#people.size > 0;
  }

  async addLink(link: SetupLink): Promise<void> {
    if (link.name !== undefined) this.#removeLinks(link.name);
    this.#links.set(link.tokenHash, link);
  }

  async findLink(tokenHash: string): Promise<SetupLink | undefined> {
    return this.#links.get(tokenHash);
  }

  async useLink(tokenHash: string, { name, passwordHash, at, note }: PasswordChange): Promise<boolean> {
    const link = this.#links.get(tokenHash);
    if (link === undefined) return false;
    this.#removeLinks(link.name);
    this.#save({ name, passwordHash, role: link.role, stackId: link.stackId }, at);
    this.sessions.endAll(name);
    this.#tell(note);
    return true;
  }

  async setPassword({ name, passwordHash, note }: PasswordChange): Promise<void> {
    const person = this.#people.get(name);
    if (person !== undefined) this.#people.set(name, { ...person, passwordHash });
    this.sessions.endAll(name);
    this.#tell(note);
  }

  async endSessions(note: LogInNote): Promise<void> {
    if (this.sessions.endAll(note.actor) > 0) this.#tell(note);
  }

  #logIn({ owner, openedAt }: StoredSession, outside: Standing | undefined, note?: LogInNote): void {
    if ('person' in owner && outside !== undefined)
      this.#save({ name: owner.person, ...outside, passwordHash: undefined }, openedAt);
    const person = 'person' in owner ? this.#people.get(owner.person) : undefined;
    if (person !== undefined && note !== undefined)
      this.#people.set(person.name, { ...person, lastLogInAt: openedAt });
    this.#tell(note);
  }

  #tell(note: LogInNote | undefined): void {
    if (note !== undefined) this.notes.push(note);
  }

  #save(person: Omit<Person, 'createdAt' | 'lastLogInAt'>, at: Date): void {
    const { createdAt = at, lastLogInAt } = this.#people.get(person.name) ?? {};
    this.#people.set(person.name, { ...person, createdAt, lastLogInAt });
  }

  #removeLinks(name: string | undefined): void {
    for (const link of this.#links.values()) if (link.name === name) this.#links.delete(link.tokenHash);
  }
}

interface Surroundings {
  readonly personOf: (name: string) => Person | undefined;
  readonly onOpen: (opening: SessionOpening) => void;
  readonly onEnd: (note: LogInNote | undefined) => void;
}

/** Sessions in memory. */
class MemorySessions implements SessionStore {
  readonly #sessions = new Map<string, StoredSession>();
  readonly #around: Surroundings;
  /** Keys that open no session any more, as `stack/key`, and hashes of secrets that are over. */
  readonly revoked = new Set<string>();
  /** The rights of keys, as `stack/key`; by default none is bound. */
  readonly rights = new Map<string, PastedRights>();

  constructor(around: Surroundings) {
    this.#around = around;
  }

  async open(opening: SessionOpening): Promise<void> {
    const { session, former, bounds } = opening;
    for (const { tokenHash, openedAt, seenAt } of this.#sessions.values()) {
      const isOver = openedAt <= bounds.openedAfter || seenAt <= bounds.seenAfter;
      if (isOver || tokenHash === former) this.#sessions.delete(tokenHash);
    }
    if ('key' in session.owner) this.#endOldest(session.owner.key);
    this.#sessions.set(session.tokenHash, session);
    this.#around.onOpen(opening);
  }

  async find(tokenHash: string): Promise<FoundSession | undefined> {
    const session = this.#sessions.get(tokenHash);
    const standing = session && this.#standingOf(session);
    if (session === undefined || standing === undefined) return undefined;
    if ('person' in session.owner) return { ...session, standing };
    const { stackId, keyId } = session.owner.key;
    const unbound = { knowledge: undefined, allowedIps: undefined };
    return { ...session, standing, rights: this.rights.get(`${stackId}/${keyId}`) ?? unbound };
  }

  async see(tokenHash: string, seenAt: Date): Promise<void> {
    const session = this.#sessions.get(tokenHash);
    if (session !== undefined) this.#sessions.set(tokenHash, { ...session, seenAt });
  }

  async end(tokenHash: string, note?: LogInNote): Promise<void> {
    this.#sessions.delete(tokenHash);
    this.#around.onEnd(note);
  }

  /** How many there were. */
  endAll(name: string): number {
    const before = this.#sessions.size;
    for (const { tokenHash, owner } of this.#sessions.values())
      if ('person' in owner && owner.person === name) this.#sessions.delete(tokenHash);
    return before - this.#sessions.size;
  }

  #endOldest({ stackId, keyId }: PastedSecret): void {
    const ofKey = [...this.#sessions.values()].filter(
      ({ owner }) => 'key' in owner && owner.key.stackId === stackId && owner.key.keyId === keyId,
    );
    const newestFirst = ofKey.sort((one, other) => other.openedAt.getTime() - one.openedAt.getTime());
    for (const { tokenHash } of newestFirst.slice(MAX_SESSIONS_PER_KEY - 1)) this.#sessions.delete(tokenHash);
  }

  #standingOf({ owner }: StoredSession): Standing | undefined {
    if ('person' in owner) {
      const person = this.#around.personOf(owner.person);
      return person && { role: person.role, stackId: person.stackId };
    }
    const { stackId, keyId, secretHash } = owner.key;
    const isOver = this.revoked.has(`${stackId}/${keyId}`) || this.revoked.has(secretHash);
    return isOver ? undefined : { role: 'member', stackId };
  }
}
