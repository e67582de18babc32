import type { WallClock } from '../lib/wall-clock.ts';
import type { LogInNote } from './log-in-note.ts';
import { OIDC_PREFIX, type Standing } from './person.ts';
import type {
  FoundSession,
  PastedRights,
  SessionBounds,
  SessionOwner,
  SessionStore,
} from './session-store.ts';
import { hashToken, newToken } from './token.ts';

const HOUR_MS = 3_600_000;
/** A session ends after this time without a request. */
export const SESSION_IDLE_MS = 12 * HOUR_MS;
/** A session ends after this time in any case. */
export const SESSION_MAX_MS = 7 * 24 * HOUR_MS;
/** How often the time of the last request is written. */
const SEEN_EVERY_MS = 5 * 60_000;

/** A session of the console. */
export interface Session extends Standing {
  readonly tokenHash: string;
  /** Of the person, or `key:STACK/KEY`. */
  readonly name: string;
  /** The key that was pasted; such a session may do no more than the key. */
  readonly key: SessionKey | undefined;
  /** How it was opened. */
  readonly door: NonNullable<LogInNote['door']>;
  readonly expiresAt: Date;
}

/** The key of a session, with the rights that it has now. */
export interface SessionKey extends PastedRights {
  readonly id: string;
}

/** A new session, and the token that only its browser gets. */
export interface OpenedSession {
  readonly token: string;
  readonly session: Session;
}

/** Who gets a session, and from where. */
export interface NewSession {
  readonly owner: SessionOwner;
  readonly standing: Standing;
  /** Of a key. */
  readonly rights?: PastedRights;
  /** The session that the browser had before; it is over. */
  readonly formerToken?: string | undefined;
  /** Tells the audit; absent: the person was logged in before. */
  readonly address?: string;
}

export interface SessionsParts {
  readonly store: SessionStore;
  readonly clock: WallClock;
}

/** Opens, finds and ends sessions. */
export class Sessions {
  readonly #store: SessionStore;
  readonly #clock: WallClock;

  constructor({ store, clock }: SessionsParts) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Opens a session with a token of its own. */
  async open({ owner, standing, rights, formerToken, address }: NewSession): Promise<OpenedSession> {
    const token = newToken();
    const now = new Date(this.#clock.nowMs());
    const stored = { tokenHash: hashToken(token) ?? '', owner, openedAt: now, seenAt: now };
    const session = described({ ...stored, standing, ...(rights && { rights }) });
    const { name: actor, door } = session;
    await this.#store.open({
      session: stored,
      former: formerToken === undefined ? undefined : hashToken(formerToken),
      bounds: sessionBounds(now.getTime()),
      outside: door === 'oidc' ? standing : undefined,
      note: address === undefined ? undefined : { actor, action: 'log-in', address, standing, door },
    });
    return { token, session };
  }

  /** `undefined` if the token is unknown, or its session is over. */
  async find(token: string): Promise<Session | undefined> {
    const tokenHash = hashToken(token);
    const found = tokenHash === undefined ? undefined : await this.#store.find(tokenHash);
    if (found === undefined) return undefined;
    const nowMs = this.#clock.nowMs();
    const unseenMs = nowMs - found.seenAt.getTime();
    const isOver = unseenMs >= SESSION_IDLE_MS || nowMs - found.openedAt.getTime() >= SESSION_MAX_MS;
    if (isOver) {
      await this.#store.end(found.tokenHash);
      return undefined;
    }
    if (unseenMs < SEEN_EVERY_MS) return described(found);
    const seenAt = new Date(nowMs);
    await this.#store.see(found.tokenHash, seenAt);
    return described({ ...found, seenAt });
  }

  async end({ tokenHash, name: actor }: Session, address: string): Promise<void> {
    await this.#store.end(tokenHash, { actor, action: 'log-out', address });
  }
}

/** The sessions that are over at a time. */
export function sessionBounds(nowMs: number): SessionBounds {
  return { openedAfter: new Date(nowMs - SESSION_MAX_MS), seenAfter: new Date(nowMs - SESSION_IDLE_MS) };
}

function described({ tokenHash, owner, standing, rights, openedAt, seenAt }: FoundSession): Session {
  const expiresMs = Math.min(openedAt.getTime() + SESSION_MAX_MS, seenAt.getTime() + SESSION_IDLE_MS);
  const common = { tokenHash, ...standing, expiresAt: new Date(expiresMs) };
  if ('key' in owner) {
    const { stackId, keyId } = owner.key;
    const key = { knowledge: undefined, allowedIps: undefined, ...rights, id: keyId };
    return { ...common, name: `key:${stackId}/${keyId}`, key, door: 'key' };
  }
  const door = owner.person.startsWith(OIDC_PREFIX) ? 'oidc' : 'password';
  return { ...common, name: owner.person, key: undefined, door };
}
