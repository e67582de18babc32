import { beforeEach, describe, expect, it } from 'vitest';
import type { LogInNote } from '../../src/people/log-in-note.ts';
import type { PeopleStore } from '../../src/people/people-store.ts';
import type { SetupLink } from '../../src/people/person.ts';
import {
  MAX_SESSIONS_PER_KEY,
  type SessionOpening,
  type SessionStore,
  type StoredSession,
} from '../../src/people/session-store.ts';
import { hashToken, newToken } from '../../src/people/token.ts';

const at = new Date('2026-11-18T12:00:00Z');
const later = new Date('2026-11-18T13:00:00Z');
const web = { stackId: 'shop', keyId: 'web', secretHash: 'a'.repeat(64) };

interface Stores {
  readonly people: PeopleStore;
  readonly sessions: SessionStore;
  /** Revokes key `web` of stack `shop`, gives it another secret at once, or takes a part of its power. */
  readonly endKey: (how: 'revoke' | 'rotate' | 'narrow') => Promise<void>;
  /** The notes for the audit, oldest first: actor and action. */
  readonly audited: () => Promise<readonly string[]>;
}

/** The hash of the secret of key `web` of stack `shop`. */
export const WEB_SECRET_HASH = web.secretHash;

/** Contract of the stores of people and sessions; `make` gives empty ones that know key `web` of stack `shop`. */
export function describePeopleStore(name: string, make: () => Promise<Stores>): void {
  describe(`${name} as a store of people and sessions`, () => {
    let people: PeopleStore;
    let sessions: SessionStore;
    let endKey: Stores['endKey'];
    let audited: Stores['audited'];
    beforeEach(async () => {
      ({ people, sessions, endKey, audited } = await make());
    });

    it('makes a person of a link once, also when it is used several times at once', async () => {
      const link = await addLink({ name: 'ann', role: 'member', stackId: 'shop' });
      expect(await people.findLink(link.tokenHash)).toEqual(link);
      const uses = ['one', 'two', 'three'].map((passwordHash) =>
        people.useLink(link.tokenHash, changeOf('ann', passwordHash)),
      );
      expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1);
      expect(await people.findLink(link.tokenHash)).toBeUndefined();
      const person = { name: 'ann', role: 'member', stackId: 'shop', createdAt: at };
      expect(await people.list()).toMatchObject([person]);
      expect(await people.find('bob')).toBeUndefined();
    });

    it('ends all other links of the same person with the one that was used, and no others', async () => {
      const links = [
        await addLink({ name: undefined }),
        await addLink({ name: undefined }),
        await addLink({ name: 'bob' }),
      ];
      await people.useLink(links[0]?.tokenHash ?? '', changeOf('ann', 'x'));
      const left = await Promise.all(links.map(({ tokenHash }) => people.findLink(tokenHash)));
      expect(left).toEqual([undefined, undefined, links[2]]);
    });

    it('ends the sessions of a person whose password changes, and no others', async () => {
      await addPerson('ann');
      await addPerson('bob');
      const [first, second, other] = [await open('ann'), await open('ann'), await open('bob')];
      await people.setPassword(changeOf('ann', 'new'));
      expect((await people.find('ann'))?.passwordHash).toBe('new');
      expect(await sessions.find(first.tokenHash)).toBeUndefined();
      expect(await sessions.find(second.tokenHash)).toBeUndefined();
      expect(await sessions.find(other.tokenHash)).toBeDefined();
      const link = await addLink({ name: 'bob' });
      await people.useLink(link.tokenHash, changeOf('bob', 'new'));
      expect(await sessions.find(other.tokenHash)).toBeUndefined();
    });

    it('tells the role that a person of OpenID Connect has now', async () => {
      const outside = { role: 'operator', stackId: undefined } as const;
      const { tokenHash } = await open('oidc:ann', { outside });
      expect(await sessions.find(tokenHash)).toMatchObject({
        owner: { person: 'oidc:ann' },
        standing: outside,
      });
      await open('oidc:ann', { outside: { role: 'member', stackId: 'shop' } });
      expect((await sessions.find(tokenHash))?.standing).toEqual({ role: 'member', stackId: 'shop' });
      expect((await people.find('oidc:ann'))?.createdAt).toEqual(at);
    });

    it.each(['revoke', 'rotate', 'narrow'] as const)(
      'keeps a session of a key as long as its secret opens the whole stack: %s',
      async (how) => {
        const session = stored({ key: web });
        await sessions.open(openingOf(session));
        const standing = { role: 'member', stackId: 'shop' };
        const rights = { knowledge: undefined, allowedIps: undefined };
        expect(await sessions.find(session.tokenHash)).toEqual({ ...session, standing, rights });
        await endKey(how);
        expect(await sessions.find(session.tokenHash)).toBeUndefined();
      },
    );

    it('ends the oldest session of a key that opens too many', async () => {
      const opened = Array.from({ length: MAX_SESSIONS_PER_KEY + 2 }, (_, index) =>
        stored({ key: web }, new Date(at.getTime() + index)),
      );
      for (const session of opened) await sessions.open(openingOf(session));
      const left = await Promise.all(opened.map(({ tokenHash }) => sessions.find(tokenHash)));
      expect(left.map((session) => session !== undefined)).toEqual(opened.map((_, index) => index >= 2));
    });

    it('ends a link of a person who gets another', async () => {
      const [first, second] = [await addLink({ name: 'ann' }), await addLink({ name: 'ann' })];
      expect(await people.findLink(first.tokenHash)).toBeUndefined();
      expect(await people.findLink(second.tokenHash)).toEqual(second);
    });

    it('ends the sessions of a person without ending the person, and tells so once', async () => {
      expect(await people.hasAny()).toBe(false);
      await addPerson('ann');
      const { tokenHash } = await open('ann');
      for (let times = 0; times < 2; times += 1) await people.endSessions(noteOf('ann', 'log-in-refused'));
      expect(await sessions.find(tokenHash)).toBeUndefined();
      expect(await people.hasAny()).toBe(true);
      expect((await audited()).filter((text) => text.endsWith('log-in-refused'))).toHaveLength(1);
    });

    it('notes the last log-in and the last request, and removes what is over', async () => {
      await addPerson('ann');
      const [idle, used, ended] = [await open('ann'), await open('ann'), await open('ann')];
      expect((await people.find('ann'))?.lastLogInAt).toBeUndefined();
      await sessions.see(used.tokenHash, later);
      expect((await sessions.find(used.tokenHash))?.seenAt).toEqual(later);
      await sessions.end(ended.tokenHash);
      const note = noteOf('ann', 'log-in');
      const next = await open('ann', { note, bounds: { openedAfter: new Date(0), seenAfter: at } }, later);
      expect((await people.find('ann'))?.lastLogInAt).toEqual(later);
      expect(await sessions.find(idle.tokenHash)).toBeUndefined();
      expect(await sessions.find(ended.tokenHash)).toBeUndefined();
      expect(await sessions.find(used.tokenHash)).toBeDefined();
      await open(
        'ann',
        { former: next.tokenHash, bounds: { openedAfter: at, seenAfter: new Date(0) } },
        later,
      );
      expect(await sessions.find(used.tokenHash)).toBeUndefined();
      expect(await sessions.find(next.tokenHash)).toBeUndefined();
    });

    it('tells the audit of every change that a person makes', async () => {
      await addPerson('ann');
      await people.setPassword(changeOf('ann', 'new', 'change-password'));
      const { tokenHash } = await open('ann', { note: noteOf('ann', 'log-in') });
      await open('ann');
      await sessions.end(tokenHash, noteOf('ann', 'log-out'));
      await sessions.end(tokenHash);
      expect(await audited()).toEqual(['ann set-up', 'ann change-password', 'ann log-in', 'ann log-out']);
    });

    async function addLink(details: Partial<SetupLink>): Promise<SetupLink> {
      const tokenHash = hashToken(newToken()) ?? '';
      const link = {
        tokenHash,
        role: 'operator',
        stackId: undefined,
        name: 'ann',
        expiresAt: later,
      } as const;
      await people.addLink({ ...link, ...details });
      return { ...link, ...details };
    }

    async function addPerson(person: string): Promise<void> {
      const { tokenHash } = await addLink({ name: person });
      await people.useLink(tokenHash, changeOf(person, 'old'));
    }

    async function open(
      person: string,
      opening: Partial<SessionOpening> = {},
      openedAt = at,
    ): Promise<StoredSession> {
      const session = stored({ person }, openedAt);
      await sessions.open({ ...openingOf(session), ...opening });
      return session;
    }
  });
}

function stored(owner: StoredSession['owner'], openedAt = at): StoredSession {
  return { tokenHash: hashToken(newToken()) ?? '', owner, openedAt, seenAt: openedAt };
}

function openingOf(session: StoredSession): SessionOpening {
  const bounds = { openedAfter: new Date(0), seenAfter: new Date(0) };
  return { session, former: undefined, bounds, outside: undefined, note: undefined };
}

function noteOf(actor: string, action: LogInNote['action']): LogInNote {
  return { actor, action, address: '192.0.2.1' };
}

function changeOf(name: string, passwordHash: string, action: LogInNote['action'] = 'set-up') {
  return { name, passwordHash, at, note: noteOf(name, action) };
}
