import { describePeopleStore, WEB_SECRET_HASH } from './describe-people-store.ts';
import { MemoryPeople } from './memory-people.ts';

describePeopleStore('MemoryPeople', async () => {
  const people = new MemoryPeople();
  const endKey = async (how: string) =>
    void people.sessions.revoked.add(how === 'rotate' ? WEB_SECRET_HASH : 'shop/web');
  const audited = async () => people.notes.map(({ actor, action }) => `${actor} ${action}`);
  return { people, sessions: people.sessions, endKey, audited };
});
