import { describePeopleStore } from './describe-people-store.ts';
import { MemoryPeople } from './memory-people.ts';

describePeopleStore('MemoryPeople', async () => {
  const people = new MemoryPeople();
  const revokeKey = async () => void people.sessions.revoked.add('shop/web');
  const audited = async () => people.notes.map(({ actor, action }) => `${actor} ${action}`);
  return { people, sessions: people.sessions, revokeKey, audited };
});
