import type { Person, SetupLink, Standing } from './person.ts';

/** Keeps people and the links by which they set a password. */
export interface PeopleStore {
  /** By name. */
  list(): Promise<readonly Person[]>;
  find(name: string): Promise<Person | undefined>;
  addLink(link: SetupLink): Promise<void>;
  /** A link that was not used yet; it may have expired. */
  findLink(tokenHash: string): Promise<SetupLink | undefined>;
  /**
   * Gives the person of a link the role of the link and a password, and ends the person's sessions. The link is gone then, and
   * so are all other links of that person, or of a first operator. Returns false if the link is gone already.
   */
  useLink(tokenHash: string, person: { readonly name: string } & PasswordChange): Promise<boolean>;
  /** Changes a password and ends all sessions of the person. */
  setPassword(name: string, change: PasswordChange): Promise<void>;
  /** Keeps a person of OpenID Connect, with the role of this log-in. */
  saveOutside(person: Standing & { readonly name: string; readonly at: Date }): Promise<void>;
  noteLogIn(name: string, at: Date): Promise<void>;
  /** Removes a person with all sessions and links; returns whether there was one. */
  remove(name: string): Promise<boolean>;
}

/** A new password, as it is stored, and when it was set. */
export interface PasswordChange {
  readonly passwordHash: string;
  readonly at: Date;
}
