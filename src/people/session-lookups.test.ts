import { expect, it } from 'vitest';
import { MAX_WAITING_LOOKUPS, SessionLookups } from './session-lookups.ts';
import type { Session } from './sessions.ts';
import { newToken } from './token.ts';

const AT_A_TIME = 4;
const ADDRESS = '192.0.2.1';
const ELSEWHERE = '198.51.100.1';

const session: Session = {
  tokenHash: '',
  name: 'ann',
  role: 'operator',
  stackId: undefined,
  key: undefined,
  door: 'password',
  expiresAt: new Date(),
};

/** Knows one token; lookups of others wait while they are held. */
class HeldSessions {
  readonly known = newToken();
  readonly asked: string[] = [];
  held: Promise<void> = Promise.resolve();

  async find(token: string): Promise<Session | undefined> {
    this.asked.push(token);
    if (token === this.known) return session;
    await this.held;
    return undefined;
  }
}

it('looks made-up tokens up a few at a time, and lets sessions and other addresses pass', async () => {
  const sessions = new HeldSessions();
  const lookups = new SessionLookups(sessions);
  expect(await lookups.find(sessions.known, ADDRESS)).toBe(session);
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  sessions.held = promise;
  const flood = Array.from({ length: AT_A_TIME + MAX_WAITING_LOOKUPS }, () =>
    lookups.find(newToken(), ADDRESS),
  );
  await expect(lookups.find(newToken(), ADDRESS)).rejects.toMatchObject({ code: 'too-many-log-ins' });
  expect(sessions.asked).toHaveLength(1 + AT_A_TIME);
  const [own, other] = [lookups.find(sessions.known, ADDRESS), lookups.ask(ELSEWHERE, async () => 'asked')];
  resolve();
  expect(await Promise.all([own, other])).toEqual([session, 'asked']);
  // Its turn came before those of the flood that had waited longer.
  expect(sessions.asked.indexOf(sessions.known, 1)).toBeLessThan(1 + 2 * AT_A_TIME);
  expect(await Promise.all(flood)).toEqual(flood.map(() => undefined));
});

it('looks no text up that cannot be a token', async () => {
  const sessions = new HeldSessions();
  expect(await new SessionLookups(sessions).find('x', ADDRESS)).toBeUndefined();
  expect(sessions.asked).toEqual([]);
});
