import { describe, expect, it } from 'vitest';
import { LogInWorld } from '../../testing/people/log-in-world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('a session', () => {
  it('ends after 12 hours without a request', async () => {
    const world = new LogInWorld();
    await world.add('ann');
    const token = await world.logIn('ann');
    world.clock.advance(12 * HOUR_MS - 1);
    expect(await world.sessions.find(token)).toMatchObject({ name: 'ann', role: 'operator' });
    world.clock.advance(12 * HOUR_MS);
    expect(await world.sessions.find(token)).toBeUndefined();
    world.clock.advance(-12 * HOUR_MS);
    expect(await world.sessions.find(token)).toBeUndefined();
  });

  it('ends after 7 days, however often it is used, and says when', async () => {
    const world = new LogInWorld();
    await world.add('ann');
    const openedMs = world.clock.nowMs();
    const token = await world.logIn('ann');
    const ends = new Set<number>();
    for (let hour = 0; hour < 7 * 24; hour += 1) {
      ends.add((await world.sessions.find(token))?.expiresAt.getTime() ?? 0);
      world.clock.advance(HOUR_MS);
    }
    expect(await world.sessions.find(token)).toBeUndefined();
    expect(Math.min(...ends)).toBe(openedMs + 12 * HOUR_MS);
    expect(Math.max(...ends)).toBe(openedMs + 7 * 24 * HOUR_MS);
  });

  it('is stored as a hash, and found by nothing but its token', async () => {
    const world = new LogInWorld();
    await world.add('ann');
    const { token, session } = await world.sessions.open({
      owner: { person: 'ann' },
      standing: { role: 'operator', stackId: undefined },
    });
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(session.tokenHash).not.toContain(token);
    for (const wrong of [session.tokenHash, '', token.slice(1), `${token}x`, 'x'.repeat(43)])
      expect(await world.sessions.find(wrong)).toBeUndefined();
  });

  it('is the same on every replica, and over on all of them', async () => {
    const one = new LogInWorld();
    const other = new LogInWorld(one.people);
    await one.add('ann');
    const token = await one.logIn('ann');
    const session = await other.sessions.find(token);
    expect(session).toMatchObject({ name: 'ann' });
    if (session !== undefined) await other.sessions.end(session, '192.0.2.1');
    expect(await one.sessions.find(token)).toBeUndefined();
  });
});
