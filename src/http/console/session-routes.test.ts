import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goodKey, HttpGateway } from '../../../testing/http-gateway.ts';
import { ConsoleClient, SAME_ORIGIN } from '../../../testing/people/console-client.ts';
import { LogInWorld, PASSWORD } from '../../../testing/people/log-in-world.ts';
import { generateOperatorSecret, generateSecret } from '../../access/key-secret.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const TOKEN = 'sgo-anything';

let world: LogInWorld;
let gateway: HttpGateway;
beforeAll(async () => {
  world = new LogInWorld();
  gateway = await HttpGateway.start({ console: { world } });
  await world.add('ann');
});
afterAll(async () => await gateway[Symbol.asyncDispose]());

describe('a log-in at the console', () => {
  it('gives a cookie that no script and no other site can use, and says who one is', async () => {
    const client = new ConsoleClient(gateway);
    const answer = await client.send('POST', '/session', { name: 'ann', password: PASSWORD });
    expect(answer.headers['set-cookie']).toMatch(
      /^sg_session=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    );
    const session = {
      name: 'ann',
      role: 'operator',
      stack: null,
      door: 'password',
      read_only: false,
      playground: true,
      expires_at: new Date(world.clock.nowMs() + 12 * 3_600_000).toISOString(),
      oidc: null,
      version: expect.any(String),
    };
    expect(JSON.parse(answer.body)).toEqual(session);
    const shown = await client.send('GET', '/session');
    expect(JSON.parse(shown.body)).toEqual(session);
    expect(shown.headers['cache-control']).toBe('no-store');
  });

  it('gives another cookie than the browser had, whose session is over', async () => {
    const [ann, planted] = [new ConsoleClient(gateway), await ConsoleClient.of(gateway, 'ann')];
    ann.cookie = planted.cookie;
    await ann.send('POST', '/session', { name: 'ann', password: PASSWORD });
    expect(ann.cookie).not.toBe(planted.cookie);
    expect((await planted.send('GET', '/session')).status).toBe(401);
    expect((await ann.send('GET', '/session')).status).toBe(200);
  });

  it('ends with the log-out, and the cookie goes', async () => {
    const client = await ConsoleClient.of(gateway, 'ann');
    const { cookie } = client;
    const answer = await client.send('DELETE', '/session');
    expect(answer.headers['set-cookie']).toMatch(/^sg_session=; Path=\/; Max-Age=0;/);
    client.cookie = cookie;
    expect((await client.send('GET', '/session')).status).toBe(401);
  });

  it('is refused with 401, and tells who is not logged in how to', async () => {
    const client = new ConsoleClient(gateway);
    const wrong = await client.send('POST', '/session', { name: 'ann', password: 'wrong horse battery' });
    expect([wrong.status, JSON.parse(wrong.body)]).toEqual([
      401,
      { detail: 'The name or the password is wrong.' },
    ]);
    const shown = await client.send('GET', '/session');
    const body = { detail: 'You are not logged in.', oidc: null, needs_setup: false };
    expect([shown.status, JSON.parse(shown.body)]).toEqual([401, body]);
  });

  it.each([
    ['sk-nothing-of-this-kind', 'No stack has this API key'],
    [`${generateSecret().slice(0, -1)}?`, 'No stack has this API key'],
    [`sk-${'0'.repeat(48)}1`, 'This API key is mistyped'],
    [generateOperatorSecret(), 'This is an operator token'],
  ])('says why a pasted key is refused: %#', async (api_key, reason) => {
    const refused = await new ConsoleClient(gateway).send('POST', '/session', { api_key });
    expect([refused.status, JSON.parse(refused.body).detail]).toEqual([401, expect.stringMatching(reason)]);
    expect(refused.body).not.toContain('Bearer');
  });

  it.each([
    ['{"name": "ann"}', JSON_TYPE, 400],
    ['{"name": "ann", "password": "x", "api_key": "y"}', JSON_TYPE, 400],
    ['[]', JSON_TYPE, 400],
    ['name=ann&password=x', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['{"name": "ann", "password": "x"}', { 'content-type': 'text/plain' }, 415],
  ])('takes nothing but its JSON: %s', async (body, headers, status) => {
    const request = {
      method: 'POST',
      path: '/console/api/session',
      body,
      headers: { ...headers, ...SAME_ORIGIN },
    };
    expect((await new ConsoleClient(gateway).call(request)).status).toBe(status);
  });

  it('sets a password by a link, changes it, and ends all other sessions then', async () => {
    const client = new ConsoleClient(gateway);
    const setUp = { token: await world.link('zoe'), password: PASSWORD };
    expect((await client.send('POST', '/setup', setUp)).status).toBe(200);
    expect((await new ConsoleClient(gateway).send('POST', '/setup', setUp)).status).toBe(403);
    const other = await ConsoleClient.of(gateway, 'zoe');
    const change = { current: PASSWORD, password: 'another horse battery' };
    expect((await client.send('POST', '/password', change)).status).toBe(200);
    expect((await other.send('GET', '/session')).status).toBe(401);
    expect((await client.send('GET', '/session')).status).toBe(200);
  });

  it('shows who can log in, without passwords', async () => {
    const client = await ConsoleClient.of(gateway, 'ann');
    const { body } = await client.send('GET', '/people');
    expect(JSON.parse(body).data[0]).toEqual({
      name: 'ann',
      role: 'operator',
      stack: null,
      password: true,
      created_at: expect.any(String),
      last_log_in_at: expect.any(String),
    });
    expect(body).not.toContain('scrypt');
  });
});

describe('a credential', () => {
  it('of the console opens no other door', async () => {
    const { cookie = '' } = await ConsoleClient.of(gateway, 'ann');
    const token = cookie.slice(cookie.indexOf('=') + 1);
    for (const path of ['/v1/models', '/mcp', '/admin/v1/stacks']) {
      for (const headers of [{ cookie }, { cookie, ...SAME_ORIGIN }, { authorization: `Bearer ${token}` }]) {
        const method = path === '/mcp' ? 'POST' : 'GET';
        const answer = await new ConsoleClient(gateway).call({ method, path, headers });
        expect([path, answer.status]).toEqual([path, 401]);
      }
    }
  });

  it('of another door does not open the console', async () => {
    for (const secret of [goodKey, TOKEN]) {
      const carried = [
        { authorization: `Bearer ${secret}` },
        { 'x-api-key': secret },
        { cookie: `sg_session=${secret}` },
        { cookie: `__Host-sg_session=${secret}` },
      ];
      for (const headers of carried)
        for (const path of ['/session', '/stacks', '/people', '/playground/shop/v1/models']) {
          const request = { path: `/console/api${path}`, headers: { ...SAME_ORIGIN, ...headers } };
          expect((await new ConsoleClient(gateway).call(request)).status).toBe(401);
        }
    }
  });

  it('sent twice as a cookie is none', async () => {
    const client = await ConsoleClient.of(gateway, 'ann');
    client.cookie = `${client.cookie}; ${client.cookie}`;
    expect((await client.send('GET', '/session')).status).toBe(401);
  });
});

describe('a request that changes something', () => {
  const host = 'gateway.test';
  const sites = [undefined, 'same-origin', 'same-site', 'cross-site', 'none'] as const;
  const origins = [
    undefined,
    `http://${host}`,
    `https://${host}`,
    'http://evil.test',
    `http://${host}.evil.test`,
    'null',
  ];
  const isAllowed = (site: string | undefined, origin: string | undefined) =>
    site === undefined ? origin?.replace(/^https?:\/\//, '') === host : site === 'same-origin';
  const cases = sites.flatMap((site) => origins.map((origin) => ({ site, origin })));

  it.each(cases)('is served for its own pages alone: $site, $origin', async ({ site, origin }) => {
    const session = await ConsoleClient.of(gateway, 'ann');
    const headers = {
      ...JSON_TYPE,
      ...(site !== undefined && { 'sec-fetch-site': site }),
      ...(origin !== undefined && { origin }),
    };
    const statusOf = async (method: string, path: string, body?: string) => {
      const request = { method, path: `/console/api${path}`, headers, ...(body !== undefined && { body }) };
      return (await session.call(request)).status;
    };
    const isServed = isAllowed(site, origin);
    // Safe methods change nothing, and no other site can read their answers.
    expect(await statusOf('GET', '/session')).toBe(200);
    expect(await statusOf('HEAD', '/session')).toBe(200);
    expect(await statusOf('POST', '/password', '{}')).toBe(isServed ? 400 : 403);
    expect(await statusOf('POST', '/setup', '{}')).toBe(isServed ? 400 : 403);
    expect(await statusOf('POST', '/playground/shop/v1/schemas/check', '{}')).toBe(isServed ? 404 : 403);
    expect((await statusOf('PATCH', '/stacks/shop', '{}')) === 403).toBe(!isServed);
    expect(await statusOf('POST', '/session', '{}')).toBe(isServed ? 400 : 403);
    expect(await statusOf('DELETE', '/session')).toBe(isServed ? 200 : 403);
  });
});

describe('behind https', () => {
  it.each([
    [{ publicUrl: 'https://ai.example.com' }, {}],
    [{ trustProxy: true }, { 'x-forwarded-proto': 'https' }],
  ])('the cookie is bound to the host: %j', async (options, headers) => {
    await using secure = await HttpGateway.start({ console: { world }, ...options });
    const client = new ConsoleClient(secure);
    const answer = await client.call({
      method: 'POST',
      path: '/console/api/session',
      headers: { ...JSON_TYPE, ...SAME_ORIGIN, ...headers },
      body: JSON.stringify({ name: 'ann', password: PASSWORD }),
    });
    expect(answer.headers['set-cookie']).toMatch(/^__Host-sg_session=.*; HttpOnly; SameSite=Strict; Secure$/);
    const shown = () => client.call({ path: '/console/api/session', headers });
    expect((await shown()).status).toBe(200);
    client.cookie = client.cookie?.replace('__Host-', '');
    expect((await shown()).status).toBe(401);
  });

  it('the public address is the own one, whatever host the proxy asks for', async () => {
    await using secure = await HttpGateway.start({ console: { world }, publicUrl: 'https://ai.example.com' });
    const request = { method: 'POST', path: '/console/api/setup', body: '{}' };
    const asked = (origin: string) =>
      new ConsoleClient(secure).call({ ...request, headers: { ...JSON_TYPE, origin } });
    expect((await asked('https://ai.example.com')).status).toBe(400);
    expect((await asked('https://example.com')).status).toBe(403);
  });
});

it('is not there without a console', async () => {
  await using plain = await HttpGateway.start();
  for (const path of ['/console', '/console/', '/console/api/session'])
    expect((await new ConsoleClient(plain).call({ path })).status).toBe(404);
});
