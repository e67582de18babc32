import { describe, expect, it } from 'vitest';
import { from, LogInWorld, PASSWORD } from '../../testing/people/log-in-world.ts';
import { FAILURES_PER_ACCOUNT, FAILURES_PER_ADDRESS, LOG_INS_PER_KEY } from './log-in-throttle.ts';

const MINUTE_MS = 60_000;
const webSecret = { stackId: 'shop', keyId: 'web', secretHash: 'a'.repeat(64) };
const unbound = { knowledge: undefined, allowedIps: undefined };

describe('a log-in', () => {
  it('opens a new session, and ends the one that the browser brought along', async () => {
    const world = new LogInWorld();
    await world.add('ann');
    await world.add('eve');
    const planted = await world.logIn('eve');
    const { token } = await world.logIns.byPassword(
      { name: ' Ann ', password: PASSWORD },
      from({ formerToken: planted }),
    );
    expect(token).not.toBe(planted);
    expect(await world.sessions.find(planted)).toBeUndefined();
    expect(await world.sessions.find(token)).toMatchObject({ name: 'ann', door: 'password' });
    expect((await world.people.find('ann'))?.lastLogInAt).toEqual(new Date(world.clock.nowMs()));
  });

  it('is refused alike for a wrong password, an unknown name and one without a password', async () => {
    const world = new LogInWorld();
    await world.add('ann');
    await world.logIns.byOidc({ name: 'oidc:ann', role: 'operator', stackId: undefined }, from());
    for (const name of ['ann', 'unknown', 'oidc:ann', '']) {
      const refused = world.logIns.byPassword({ name, password: 'wrong horse battery' }, from());
      await expect(refused).rejects.toMatchObject({
        code: 'log-in-refused',
        message: 'The name or the password is wrong.',
      });
    }
    expect(world.notes.filter(({ action }) => action === 'log-in-refused').map(({ actor }) => actor)).toEqual(
      ['ann', '', '', ''],
    );
    expect(JSON.stringify(world.notes)).not.toContain('horse');
  });

  it('is refused for a while after too many failures for one name, from any address', async () => {
    const world = new LogInWorld();
    await world.add('ann');
    await world.add('bob');
    const tries = Array.from({ length: FAILURES_PER_ACCOUNT + 5 }, (_, number) => ({
      name: 'ann',
      address: `192.0.2.${number}`,
    }));
    const codes = await Promise.all(tries.map((each) => failureOf(world, each)));
    expect(codes.filter((code) => code === 'log-in-refused')).toHaveLength(FAILURES_PER_ACCOUNT);
    expect(codes.filter((code) => code === 'too-many-log-ins')).toHaveLength(5);
    await expect(world.logIn('ann')).rejects.toMatchObject({ code: 'too-many-log-ins' });
    await expect(world.logIn('bob')).resolves.toBeDefined();
    world.clock.advance(15 * MINUTE_MS);
    await expect(world.logIn('ann')).resolves.toBeDefined();
  });

  it('is refused for a while after too many failures from one address, for any name', async () => {
    const world = new LogInWorld();
    await world.add('ann');
    for (let number = 0; number < FAILURES_PER_ADDRESS; number += 1)
      await failureOf(world, { name: `guess${number}`, address: '198.51.100.7' });
    const origin = from({ address: '198.51.100.7' });
    await expect(world.logIns.byPassword({ name: 'ann', password: PASSWORD }, origin)).rejects.toMatchObject({
      code: 'too-many-log-ins',
    });
    await expect(world.logIn('ann')).resolves.toBeDefined();
  });

  it('counts no success as a failure', async () => {
    const world = new LogInWorld();
    await world.add('ann');
    for (let number = 0; number <= FAILURES_PER_ADDRESS; number += 1) await world.logIn('ann');
    expect(await failureOf(world, { name: 'ann' })).toBe('log-in-refused');
  });

  it('with a key gives a session of a member of its stack, as long as the key is valid', async () => {
    const world = new LogInWorld();
    const { token } = await world.logIns.byKey(webSecret, unbound, from());
    expect(await world.sessions.find(token)).toMatchObject({
      name: 'key:shop/web',
      role: 'member',
      stackId: 'shop',
      key: { id: 'web' },
      door: 'key',
    });
    world.people.sessions.revoked.add('shop/web');
    expect(await world.sessions.find(token)).toBeUndefined();
  });

  it('with one key is refused for a while after many, so that the audit does not grow without end', async () => {
    const world = new LogInWorld();
    for (let number = 0; number < LOG_INS_PER_KEY; number += 1)
      await world.logIns.byKey(webSecret, unbound, from());
    await expect(world.logIns.byKey(webSecret, unbound, from())).rejects.toMatchObject({
      code: 'too-many-log-ins',
      message: 'There were 20 log-ins with this key in 15 minutes. Try again in 15 minutes.',
    });
    expect(world.notes).toHaveLength(LOG_INS_PER_KEY);
    const other = { ...webSecret, keyId: 'app' };
    await expect(world.logIns.byKey(other, unbound, from())).resolves.toBeDefined();
    world.clock.advance(15 * MINUTE_MS);
    await expect(world.logIns.byKey(webSecret, unbound, from())).resolves.toBeDefined();
  });

  it('of a person without a role any more ends the sessions that are open', async () => {
    const world = new LogInWorld();
    const { token } = await world.logIns.byOidc(
      { name: 'oidc:ann', role: 'operator', stackId: undefined },
      from(),
    );
    await world.logIns.refuseOidc('oidc:ann', '192.0.2.1');
    expect(await world.sessions.find(token)).toBeUndefined();
    expect(world.notes.at(-1)).toMatchObject({ actor: 'oidc:ann', action: 'log-in-refused' });
  });
});

describe('a link', () => {
  it('sets the password of a person once', async () => {
    const world = new LogInWorld();
    const token = await world.link('ann', { role: 'member', stackId: 'shop' });
    const asked = { token, name: 'ignored', password: PASSWORD };
    const { session } = await world.logIns.byLink(asked, from());
    expect(session).toMatchObject({ name: 'ann', role: 'member', stackId: 'shop' });
    await expect(world.logIns.byLink(asked, from())).rejects.toMatchObject({ code: 'setup-link-refused' });
    await expect(world.logIn('ann')).resolves.toBeDefined();
  });

  it('is over after 30 minutes', async () => {
    const world = new LogInWorld();
    const [early, late] = [await world.link('ann'), await world.link('bob')];
    world.clock.advance(30 * MINUTE_MS - 1);
    await world.logIns.byLink({ token: early, name: undefined, password: PASSWORD }, from());
    world.clock.advance(1);
    await expect(
      world.logIns.byLink({ token: late, name: undefined, password: PASSWORD }, from()),
    ).rejects.toMatchObject({ code: 'setup-link-refused' });
    expect((await world.people.list()).map(({ name }) => name)).toEqual(['ann']);
  });

  it('lets the first operator choose a name, and is then the last of its kind', async () => {
    const world = new LogInWorld();
    const [first, second] = [await world.link(undefined), await world.link(undefined)];
    for (const name of [undefined, 'a b', '-', 'oidc:x'])
      await expect(
        world.logIns.byLink({ token: first, name, password: PASSWORD }, from()),
      ).rejects.toMatchObject({ code: 'invalid-request', param: 'name' });
    const { session } = await world.logIns.byLink({ token: first, name: 'Root', password: PASSWORD }, from());
    expect(session).toMatchObject({ name: 'root', role: 'operator', stackId: undefined });
    await expect(
      world.logIns.byLink({ token: second, name: 'eve', password: PASSWORD }, from()),
    ).rejects.toMatchObject({ code: 'setup-link-refused' });
  });

  it.each([['short'], ['x'.repeat(257)], ['ann@example.com']])(
    'is not used up by a bad password',
    async (password) => {
      const world = new LogInWorld();
      const token = await world.link('ann@example.com');
      await expect(world.logIns.byLink({ token, name: undefined, password }, from())).rejects.toMatchObject({
        param: 'password',
      });
      await expect(
        world.logIns.byLink({ token, name: undefined, password: PASSWORD }, from()),
      ).resolves.toBeDefined();
    },
  );

  it('for a person who is there already ends all of their sessions', async () => {
    const world = new LogInWorld();
    await world.add('ann');
    const session = await world.logIn('ann');
    const token = await world.link('ann');
    await world.logIns.byLink({ token, name: undefined, password: 'another horse battery' }, from());
    expect(await world.sessions.find(session)).toBeUndefined();
    await expect(world.logIn('ann')).rejects.toMatchObject({ code: 'log-in-refused' });
  });
});

describe('a change of the password', () => {
  const changed = 'another horse battery';

  it('ends all sessions, and gives a new one to the browser that made it', async () => {
    const world = new LogInWorld();
    await world.add('ann');
    const [elsewhere, here] = [await world.logIn('ann'), await world.logIn('ann')];
    const session = await world.sessions.find(here);
    if (session === undefined) throw new Error('there is no session');
    const passwords = { current: PASSWORD, password: changed };
    const { token } = await world.logIns.changePassword(session, passwords, from({ formerToken: here }));
    for (const old of [elsewhere, here]) expect(await world.sessions.find(old)).toBeUndefined();
    expect(await world.sessions.find(token)).toMatchObject({ name: 'ann' });
    await expect(world.logIn('ann')).rejects.toMatchObject({ code: 'log-in-refused' });
  });

  it('needs the current one, and counts guesses of it', async () => {
    const world = new LogInWorld();
    await world.add('ann');
    const session = await world.sessions.find(await world.logIn('ann'));
    if (session === undefined) throw new Error('there is no session');
    const change = () =>
      world.logIns
        .changePassword(session, { current: 'wrong', password: changed }, from())
        .catch(({ code }) => code);
    for (let number = 0; number < FAILURES_PER_ACCOUNT; number += 1)
      expect(await change()).toBe('invalid-request');
    expect(await change()).toBe('too-many-log-ins');
  });
});

async function failureOf(
  world: LogInWorld,
  { name, address }: { readonly name: string; readonly address?: string },
): Promise<string> {
  const origin = from(address === undefined ? {} : { address });
  const wrong = world.logIns.byPassword({ name, password: 'wrong horse battery' }, origin);
  return await wrong.then(
    () => 'let in',
    ({ code }) => code,
  );
}
