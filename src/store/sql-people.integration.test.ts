import { expect, it } from 'vitest';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { storeOwners } from '../../testing/images/stored-owners.ts';
import { describePeopleStore, WEB_SECRET_HASH } from '../../testing/people/describe-people-store.ts';
import { storedKey } from '../../testing/stored-rows.ts';
import type { LogInNote } from '../people/log-in-note.ts';
import { hashToken, newToken } from '../people/token.ts';
import { listAudit } from './audit-trail.ts';
import { KeyRecords } from './key-records.ts';
import { SessionSweeper } from './session-sweeper.ts';
import { SqlPeople } from './sql-people.ts';
import { SqlSessions } from './sql-sessions.ts';

const web = { stackId: 'shop', id: 'web' };

describeOnDatabases('SqlPeople', (database) => {
  describePeopleStore('SqlPeople', async () => {
    const { pool } = database();
    await storeOwners(pool);
    const keys = new KeyRecords(pool);
    await keys.setSecret(web, WEB_SECRET_HASH);
    const endings = {
      revoke: () => keys.revoke(web),
      rotate: () => keys.setSecret(web, 'b'.repeat(64)),
      narrow: () => keys.save({ ...storedKey, ...web, ownImagesOnly: true }),
    };
    const endKey = async (how: keyof typeof endings) => void (await endings[how]());
    const audited = async () => {
      const rows = (await listAudit(pool, { limit: 100 })).toReversed();
      return rows.map(({ actor, action }) => `${actor} ${action.replace('console.', '')}`);
    };
    return { people: new SqlPeople(pool), sessions: new SqlSessions(pool), endKey, audited };
  });

  it('keeps a session through the overlap of a rotation, with the rights that the key has now', async () => {
    const { pool } = database();
    const [keys, sessions] = [new KeyRecords(pool), new SqlSessions(pool)];
    await storeOwners(pool);
    await keys.setSecret(web, WEB_SECRET_HASH);
    const at = new Date();
    const tokenHash = hashToken('y'.repeat(43)) ?? '';
    const opening = {
      session: {
        tokenHash,
        owner: { key: { stackId: 'shop', keyId: 'web', secretHash: WEB_SECRET_HASH } },
        openedAt: at,
        seenAt: at,
      },
      former: undefined,
      bounds: { openedAfter: new Date(0), seenAfter: new Date(0) },
      outside: undefined,
      note: undefined,
    } as const;
    await sessions.open(opening);
    await keys.save({ ...storedKey, ...web, knowledge: 'read', allowedIps: ['10.0.0.0/8'] });
    await keys.setSecret(web, 'b'.repeat(64), 60);
    expect((await sessions.find(tokenHash))?.rights).toEqual({
      knowledge: 'read',
      allowedIps: ['10.0.0.0/8'],
    });
    await keys.setSecret(web, 'c'.repeat(64));
    expect(await sessions.find(tokenHash)).toBeUndefined();
    await expect(sessions.open(opening)).rejects.toMatchObject({ code: 'session-required' });
  });

  it('sweeps sessions and links that are over, and no others', async () => {
    const { pool } = database();
    const [people, sessions] = [new SqlPeople(pool), new SqlSessions(pool)];
    const clock = { nowMs: () => Date.parse('2026-11-18T13:00:00Z') };
    const linkHashes = ['2026-11-18T13:00:00Z', '2026-11-18T13:00:01Z'].map((time) => ({
      expiresAt: new Date(time),
      tokenHash: hashToken(newToken()) ?? '',
    }));
    for (const link of linkHashes)
      await people.addLink({ ...link, name: undefined, role: 'operator', stackId: undefined });
    const openedAt = ['2026-11-18T01:00:00Z', '2026-11-18T01:00:01Z'].map((time) => new Date(time));
    const tokens: string[] = [];
    for (const at of openedAt) {
      const tokenHash = hashToken(newToken()) ?? '';
      tokens.push(tokenHash);
      await sessions.open({
        session: { tokenHash, owner: { person: 'oidc:eve' }, openedAt: at, seenAt: at },
        former: undefined,
        bounds: { openedAfter: new Date(0), seenAfter: new Date(0) },
        outside: { role: 'operator', stackId: undefined },
        note: undefined,
      });
    }
    const sweeper = new SessionSweeper(pool, clock);
    expect(await sweeper.sweep()).toEqual({ sessions: 1, links: 1 });
    expect(await sweeper.sweep()).toBeUndefined();
    expect(await sessions.find(tokens[1] ?? '')).toBeDefined();
    expect(await people.findLink(linkHashes[1]?.tokenHash ?? '')).toBeDefined();
  });

  it('changes nothing that the audit cannot be told of', async () => {
    const [people, sessions] = [new SqlPeople(database().pool), new SqlSessions(database().pool)];
    const at = new Date();
    const tokenHash = hashToken('x'.repeat(43)) ?? '';
    const link = { tokenHash, name: 'ann', role: 'operator', stackId: undefined, expiresAt: at } as const;
    await people.addLink(link);
    const change = (note: LogInNote) => ({ name: 'ann', passwordHash: 'x', at, note });
    // PostgreSQL stores no NUL.
    const unwritable = { actor: 'a\0', action: 'log-in', address: '192.0.2.1' } as const;
    await expect(people.useLink(tokenHash, change(unwritable))).rejects.toThrow('0x00');
    expect([await people.list(), await people.findLink(tokenHash)]).toEqual([[], link]);
    const opening = {
      session: { tokenHash, owner: { person: 'oidc:eve' }, openedAt: at, seenAt: at },
      former: undefined,
      bounds: { openedAfter: new Date(0), seenAfter: new Date(0) },
      outside: { role: 'operator', stackId: undefined },
      note: unwritable,
    } as const;
    await expect(sessions.open(opening)).rejects.toThrow('0x00');
    expect([await people.list(), await sessions.find(tokenHash)]).toEqual([[], undefined]);
    await sessions.open({ ...opening, note: undefined });
    await expect(sessions.end(tokenHash, unwritable)).rejects.toThrow('0x00');
    expect(await sessions.find(tokenHash)).toBeDefined();
  });
});
