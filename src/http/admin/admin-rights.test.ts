import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../../../testing/http-call.ts';
import { goodKey, HttpGateway } from '../../../testing/http-gateway.ts';
import { ConsoleClient } from '../../../testing/people/console-client.ts';
import { LogInWorld } from '../../../testing/people/log-in-world.ts';
import { generateOperatorSecret } from '../../access/key-secret.ts';

const [ada, shopkeeper] = [generateOperatorSecret(), generateOperatorSecret()];

// Every query fails as it does without a database.
const pool = Object.assign(new pg.Pool(), {
  query: async () => {
    throw Object.assign(new Error('the port is closed'), { code: 'ECONNREFUSED' });
  },
});

const world = new LogInWorld();
let gateway: HttpGateway;
beforeAll(async () => {
  gateway = await HttpGateway.start({
    operators: {
      [ada]: { name: 'ada', door: 'token', role: 'operator' },
      [shopkeeper]: { name: 'shopkeeper', door: 'token', role: 'operator', stackId: 'shop' },
    },
    admin: { pool },
    console: { world },
  });
});
afterAll(async () => await gateway[Symbol.asyncDispose]());

async function statusOf(path: string, { token = ada, method = 'GET', body = '' } = {}): Promise<number> {
  const answer = await call(gateway, {
    method,
    path: `/admin/v1${path}`,
    headers: { authorization: `Bearer ${token}`, ...(body !== '' && { 'content-type': 'application/json' }) },
    ...(body !== '' && { body }),
  });
  return answer.status;
}

describe('an operator of one stack', () => {
  it('cannot move it to another account', async () => {
    const change = { method: 'PATCH', token: shopkeeper };
    expect(await statusOf('/stacks/shop', { ...change, body: '{"account": "rich"}' })).toBe(403);
    // Allowed, as far as the database.
    expect(await statusOf('/stacks/shop', { ...change, body: '{"plan": "pro"}' })).toBe(503);
  });
});

describe('a pasted key', () => {
  const rights = { knowledge: undefined, allowedIps: undefined };

  it('does not see the audit, which a member sees', async () => {
    await world.add('member', { role: 'member', stackId: 'shop' });
    const [key, member] = [
      await ConsoleClient.withKey(gateway, goodKey),
      await ConsoleClient.of(gateway, 'member'),
    ];
    expect((await key.send('GET', '/audit')).status).toBe(403);
    expect((await member.send('GET', '/audit')).status).toBe(503);
  });

  it('sees documents only if the key may list them now', async () => {
    const client = await ConsoleClient.withKey(gateway, goodKey);
    expect((await client.send('GET', '/knowledge')).status).toBe(403);
    world.people.sessions.rights.set('shop/web', { ...rights, knowledge: 'read' });
    expect((await client.send('GET', '/knowledge')).status).toBe(503);
  });
});

describe('the admin API', () => {
  it('says that the database is away', async () => {
    for (const path of ['/stacks', '/stacks/shop', '/keys', '/images', '/responses', '/knowledge', '/audit'])
      expect([path, await statusOf(path)]).toEqual([path, 503]);
  });

  it.each([
    ['+010000-01-01T00:00:00.000Z', 'x'],
    ['0000-01-01T00:00:00.000Z', 'x'],
    ['2026-11-18', 'x'],
    ['now', 'x'],
    ['2026-11-18T12:00:00.000Z', 'a\0b'],
  ])('refuses a cursor that no list has given: %j', async (...parts) => {
    const cursor = Buffer.from(JSON.stringify(parts)).toString('base64url');
    for (const list of ['images', 'responses'])
      expect([list, await statusOf(`/${list}?cursor=${cursor}`)]).toEqual([list, 400]);
  });

  it('takes a cursor that a list has given', async () => {
    const cursor = Buffer.from('["2026-11-18T12:00:00.000Z","x"]').toString('base64url');
    expect(await statusOf(`/images?cursor=${cursor}`)).toBe(503);
  });

  it('refuses texts that no database can hold', async () => {
    expect(await statusOf('/stacks?q=%00')).toBe(400);
    expect(await statusOf('/stacks/a%00b')).toBe(404);
    const body = JSON.stringify({ id: 'shop', limits: {}, system_prompt: 'a\0b' });
    expect(await statusOf('/stacks', { method: 'POST', body })).toBe(400);
  });
});
