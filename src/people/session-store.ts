import type { Standing } from './person.ts';

/** To whom a session belongs: a person, or a key that was pasted. */
export type SessionOwner =
  | { readonly person: string }
  | { readonly key: { readonly stackId: string; readonly keyId: string } };

/** A session as stored; its token is known to the browser alone. */
export interface StoredSession {
  readonly tokenHash: string;
  readonly owner: SessionOwner;
  readonly openedAt: Date;
  readonly seenAt: Date;
}

/** A session that was found, with the role that its person has now. */
export interface FoundSession extends StoredSession {
  readonly standing: Standing;
}

/** Sessions that began or were used last before these times are over. */
export interface SessionBounds {
  readonly openedAfter: Date;
  readonly seenAfter: Date;
}

/** Keeps sessions, for all replicas. */
export interface SessionStore {
  open(session: StoredSession): Promise<void>;
  /** `undefined` also if its person is gone, or its key is not valid any more. */
  find(tokenHash: string): Promise<FoundSession | undefined>;
  see(tokenHash: string, at: Date): Promise<void>;
  end(tokenHash: string): Promise<void>;
  /** Removes those that are over. */
  removeOver(bounds: SessionBounds): Promise<void>;
}
