import { describePeopleStore } from './describe-people-store.ts';
import { MemoryPeople } from './memory-people.ts';

describePeopleStore('MemoryPeople', async () => {
  const people = new MemoryPeople();
  const revokeKey = async () => void people.sessions.revoked.add('shop/web');
  return { people, sessions: people.sessions, revokeKey };
});
