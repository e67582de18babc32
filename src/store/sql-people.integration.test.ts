import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { storeOwners } from '../../testing/images/stored-owners.ts';
import { describePeopleStore } from '../../testing/people/describe-people-store.ts';
import { KeyRecords } from './key-records.ts';
import { SqlPeople } from './sql-people.ts';
import { SqlSessions } from './sql-sessions.ts';

describeOnDatabases('SqlPeople', (database) => {
  describePeopleStore('SqlPeople', async () => {
    const { pool } = database();
    await storeOwners(pool);
    const revokeKey = () => new KeyRecords(pool).revoke({ stackId: 'shop', id: 'web' });
    return { people: new SqlPeople(pool), sessions: new SqlSessions(pool), revokeKey };
  });
});
