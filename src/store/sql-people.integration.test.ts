import { expect, it } from 'vitest';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { storeOwners } from '../../testing/images/stored-owners.ts';
import { describePeopleStore } from '../../testing/people/describe-people-store.ts';
import type { LogInNote } from '../people/log-in-note.ts';
import { hashToken } from '../people/token.ts';
import { listAudit } from './audit-trail.ts';
import { KeyRecords } from './key-records.ts';
import { execute } from './query.ts';
import { sql } from './sql.ts';
import { SqlPeople } from './sql-people.ts';
import { SqlSessions } from './sql-sessions.ts';

describeOnDatabases('SqlPeople', (database) => {
  describePeopleStore('SqlPeople', async () => {
    const { pool } = database();
    await storeOwners(pool);
    const revokeKey = () => new KeyRecords(pool).revoke({ stackId: 'shop', id: 'web' });
    const audited = async () => {
      const rows = (await listAudit(pool, { limit: 100 })).toReversed();
      return rows.map(({ actor, action }) => `${actor} ${action.replace('console.', '')}`);
    };
    return { people: new SqlPeople(pool), sessions: new SqlSessions(pool), revokeKey, audited };
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

  it('ends the sessions of a key with the secret that it had when they were opened', async () => {
    const { pool } = database();
    await storeOwners(pool);
    const sessions = new SqlSessions(pool);
    const [keys, key] = [new KeyRecords(pool), { stackId: 'shop', id: 'web' }];
    const open = async (digit: string, minutesAgo = 0) => {
      const tokenHash = digit.repeat(64);
      const openedAt = new Date(Date.now() - minutesAgo * 60_000);
      const owner = { key: { stackId: 'shop', keyId: 'web' } };
      const bounds = { openedAfter: new Date(0), seenAfter: new Date(0) };
      const session = { tokenHash, owner, openedAt, seenAt: openedAt };
      await sessions.open({ session, bounds, former: undefined, outside: undefined, note: undefined });
      return async () => (await sessions.find(tokenHash)) !== undefined;
    };
    await keys.setSecret(key, 'a'.repeat(64));
    const first = await open('1');
    await keys.setSecret(key, 'a'.repeat(64));
    expect(await first()).toBe(true);
    await keys.setSecret(key, 'b'.repeat(64));
    expect(await first()).toBe(false);
    const second = await open('2', 5);
    await keys.setSecret(key, 'c'.repeat(64), 60);
    expect(await second()).toBe(true);
    await execute(
      pool,
      sql`update key_secrets set expires_at = now() - interval '1 minute' where expires_at is not null`,
    );
    expect(await second()).toBe(false);
    expect(await (await open('3'))()).toBe(true);
  });
});
