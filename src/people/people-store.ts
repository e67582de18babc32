import type { LogInNote } from './log-in-note.ts';
import type { Person, SetupLink } from './person.ts';

/**
 * Keeps people and the links by which they set a password. A change and its note for the audit are written together, or neither
 * is.
 */
export interface PeopleStore {
  /** By name. */
  list(): Promise<readonly Person[]>;
  /** Whether there is anybody. */
  hasAny(): Promise<boolean>;
  find(name: string): Promise<Person | undefined>;
  /** Adds a link; others of the same person end. */
  addLink(link: SetupLink): Promise<void>;
  /** A link that was not used yet; it may have expired. */
  findLink(tokenHash: string): Promise<SetupLink | undefined>;
  /**
   * Gives the person of a link the role of the link and a password, and ends the person's sessions. The link is gone then, and
   * so are all other links of that person, or of a first operator. Returns false if the link is gone already.
   */
  useLink(tokenHash: string, change: PasswordChange): Promise<boolean>;
  /** Changes a password and ends all sessions of the person. */
  setPassword(change: PasswordChange): Promise<void>;
  /** Ends all sessions of the person whom the note names; without any, the note is not written. */
  endSessions(note: LogInNote): Promise<void>;
}

/** A new password of a person, as it is stored, and when it was set. */
export interface PasswordChange {
  readonly name: string;
  readonly passwordHash: string;
  readonly at: Date;
  readonly note: LogInNote;
}
