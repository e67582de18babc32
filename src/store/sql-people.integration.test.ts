import { expect, it } from 'vitest';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { storeOwners } from '../../testing/images/stored-owners.ts';
import { describePeopleStore } from '../../testing/people/describe-people-store.ts';
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
    return { people: new SqlPeople(pool), sessions: new SqlSessions(pool), revokeKey };
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
      await sessions.open({ tokenHash, owner, openedAt, seenAt: openedAt });
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
