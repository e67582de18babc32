import type { PasswordChange, PeopleStore } from '../../src/people/people-store.ts';
import type { Person, SetupLink, Standing } from '../../src/people/person.ts';
import type {
  FoundSession,
  SessionBounds,
  SessionStore,
  StoredSession,
} from '../../src/people/session-store.ts';

/** People and their links, in memory. */
export class MemoryPeople implements PeopleStore {
  readonly #people = new Map<string, Person>();
  readonly #links = new Map<string, SetupLink>();
  readonly sessions = new MemorySessions((name) => this.#people.get(name));

  async list(): Promise<readonly Person[]> {
    return [...this.#people.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  async find(name: string): Promise<Person | undefined> {
    return this.#people.get(name);
  }

  async addLink(link: SetupLink): Promise<void> {
    this.#links.set(link.tokenHash, link);
  }

  async findLink(tokenHash: string): Promise<SetupLink | undefined> {
    return this.#links.get(tokenHash);
  }

  async useLink(
    tokenHash: string,
    { name, passwordHash, at }: { readonly name: string } & PasswordChange,
  ): Promise<boolean> {
    const link = this.#links.get(tokenHash);
    if (link === undefined) return false;
    this.#removeLinks(link.name);
    this.#save({ name, passwordHash, role: link.role, stackId: link.stackId }, at);
    this.sessions.endAll(name);
    return true;
  }

  async setPassword(name: string, { passwordHash }: PasswordChange): Promise<void> {
    const person = this.#people.get(name);
    if (person !== undefined) this.#people.set(name, { ...person, passwordHash });
    this.sessions.endAll(name);
  }

  async saveOutside({
    name,
    role,
    stackId,
    at,
  }: Standing & { readonly name: string; readonly at: Date }): Promise<void> {
    this.#save({ name, role, stackId, passwordHash: undefined }, at);
  }

  async noteLogIn(name: string, at: Date): Promise<void> {
    const person = this.#people.get(name);
    if (person !== undefined) this.#people.set(name, { ...person, lastLogInAt: at });
  }

  async remove(name: string): Promise<boolean> {
    this.#removeLinks(name);
    this.sessions.endAll(name);
    return this.#people.delete(name);
  }

  #save(person: Omit<Person, 'createdAt' | 'lastLogInAt'>, at: Date): void {
    const { createdAt = at, lastLogInAt } = this.#people.get(person.name) ?? {};
    this.#people.set(person.name, { ...person, createdAt, lastLogInAt });
  }

  #removeLinks(name: string | undefined): void {
    for (const link of this.#links.values()) if (link.name === name) this.#links.delete(link.tokenHash);
  }
}

/** Sessions in memory. */
class MemorySessions implements SessionStore {
  readonly #sessions = new Map<string, StoredSession>();
  readonly #personOf: (name: string) => Person | undefined;
  /** Keys that are not valid any more, as `stack/key`. */
  readonly revoked = new Set<string>();

  constructor(personOf: (name: string) => Person | undefined) {
    this.#personOf = personOf;
  }

  async open(session: StoredSession): Promise<void> {
    this.#sessions.set(session.tokenHash, session);
  }

  async find(tokenHash: string): Promise<FoundSession | undefined> {
    const session = this.#sessions.get(tokenHash);
    const standing = session && this.#standingOf(session);
    return session && standing && { ...session, standing };
  }

  async see(tokenHash: string, seenAt: Date): Promise<void> {
    const session = this.#sessions.get(tokenHash);
    if (session !== undefined) this.#sessions.set(tokenHash, { ...session, seenAt });
  }

  async end(tokenHash: string): Promise<void> {
    this.#sessions.delete(tokenHash);
  }

  async removeOver({ openedAfter, seenAfter }: SessionBounds): Promise<void> {
    for (const { tokenHash, openedAt, seenAt } of this.#sessions.values())
      if (openedAt <= openedAfter || seenAt <= seenAfter) this.#sessions.delete(tokenHash);
  }

  endAll(name: string): void {
    for (const { tokenHash, owner } of this.#sessions.values())
      if ('person' in owner && owner.person === name) this.#sessions.delete(tokenHash);
  }

  #standingOf({ owner }: StoredSession): Standing | undefined {
    if ('person' in owner) {
      const person = this.#personOf(owner.person);
      return person && { role: person.role, stackId: person.stackId };
    }
    const { stackId, keyId } = owner.key;
    return this.revoked.has(`${stackId}/${keyId}`) ? undefined : { role: 'member', stackId };
  }
}
