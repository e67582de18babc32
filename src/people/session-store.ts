import type { LogInNote } from './log-in-note.ts';
import type { Standing } from './person.ts';

/** The most sessions that one key has open at a time; a further one ends the oldest. */
export const MAX_SESSIONS_PER_KEY = 10;

/** To whom a session belongs: a person, or a key that was pasted. */
export type SessionOwner = { readonly person: string } | { readonly key: PastedSecret };

/** A key, and the hash of its secret that was pasted: a session ends with that secret, also when the key gets another. */
export interface PastedSecret {
  readonly stackId: string;
  readonly keyId: string;
  readonly secretHash: string;
}

/** The rights of a pasted key, as far as they bind its sessions. */
export interface PastedRights {
  /** Whether the key may list, or also change, the stack's documents. */
  readonly knowledge: 'read' | 'write' | undefined;
  /** Addresses and ranges that may use the key; absent: all. */
  readonly allowedIps: readonly string[] | undefined;
}

/** A session as stored; its token is known to the browser alone. */
export interface StoredSession {
  readonly tokenHash: string;
  readonly owner: SessionOwner;
  readonly openedAt: Date;
  readonly seenAt: Date;
}

/** A session that was found, with the role that its person has now, or the rights that its key has now. */
export interface FoundSession extends StoredSession {
  readonly standing: Standing;
  /** Absent: it is a person's. */
  readonly rights?: PastedRights;
}

/** Sessions that began or were used last before these times are over. */
export interface SessionBounds {
  readonly openedAfter: Date;
  readonly seenAfter: Date;
}

/** A session that begins, and what changes with it. */
export interface SessionOpening {
  readonly session: StoredSession;
  /** The session that the browser had before; it is over. */
  readonly former: string | undefined;
  /** Sessions that are over by then are removed. */
  readonly bounds: SessionBounds;
  /** A person of OpenID Connect is kept with the role of this log-in. */
  readonly outside: Standing | undefined;
  /** For the audit; absent: the person was logged in before. */
  readonly note: LogInNote | undefined;
}

/** Keeps sessions, for all replicas. A change and its note for the audit are written together, or neither is. */
export interface SessionStore {
  /** Throws if the secret of its key is gone. */
  open(opening: SessionOpening): Promise<void>;
  /** `undefined` also if its person is gone, its key or its secret is not valid any more, or the key sees only a part of its stack. */
  find(tokenHash: string): Promise<FoundSession | undefined>;
  see(tokenHash: string, at: Date): Promise<void>;
  /** Without a note where it was over before. */
  end(tokenHash: string, note?: LogInNote): Promise<void>;
}
