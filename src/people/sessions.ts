import type { WallClock } from '../lib/wall-clock.ts';
import { OIDC_PREFIX, type Standing } from './person.ts';
import type { FoundSession, SessionOwner, SessionStore } from './session-store.ts';
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
  readonly keyId: string | undefined;
  /** How it was opened. */
  readonly door: 'password' | 'oidc' | 'key';
  readonly expiresAt: Date;
}

/** A new session, and the token that only its browser gets. */
export interface OpenedSession {
  readonly token: string;
  readonly session: Session;
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

  /** Opens a session with a token of its own; the one that the browser had before is over. */
  async open(owner: SessionOwner, standing: Standing, formerToken?: string): Promise<OpenedSession> {
    const token = newToken();
    const tokenHash = hashToken(token) ?? '';
    const now = new Date(this.#clock.nowMs());
    if (formerToken !== undefined) await this.end(formerToken);
    await this.#store.removeOver({
      openedAfter: new Date(now.getTime() - SESSION_MAX_MS),
      seenAfter: new Date(now.getTime() - SESSION_IDLE_MS),
    });
    const stored = { tokenHash, owner, openedAt: now, seenAt: now };
    await this.#store.open(stored);
    return { token, session: described({ ...stored, standing }) };
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

  async end(token: string): Promise<void> {
    const tokenHash = hashToken(token);
    if (tokenHash !== undefined) await this.#store.end(tokenHash);
  }
}

function described({ tokenHash, owner, standing, openedAt, seenAt }: FoundSession): Session {
  const expiresMs = Math.min(openedAt.getTime() + SESSION_MAX_MS, seenAt.getTime() + SESSION_IDLE_MS);
  const common = { tokenHash, ...standing, expiresAt: new Date(expiresMs) };
  if ('key' in owner) {
    const { stackId, keyId } = owner.key;
    return { ...common, name: `key:${stackId}/${keyId}`, keyId, door: 'key' };
  }
  const door = owner.person.startsWith(OIDC_PREFIX) ? 'oidc' : 'password';
  return { ...common, name: owner.person, keyId: undefined, door };
}
