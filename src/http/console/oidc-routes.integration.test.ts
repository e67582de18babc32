import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HttpGateway } from '../../../testing/http-gateway.ts';
import { ConsoleClient } from '../../../testing/people/console-client.ts';
import { LogInWorld } from '../../../testing/people/log-in-world.ts';
import { OidcServer } from '../../../testing/people/oidc-server.ts';
import { OidcClient } from '../../people/oidc/oidc-client.ts';

const PUBLIC = 'https://ai.example.com';

describe('a log-in by OpenID Connect', () => {
  const world = new LogInWorld();
  let provider: OidcServer;
  let gateway: HttpGateway;
  let existing = 'shop';
  beforeAll(async () => {
    provider = await OidcServer.start(`${PUBLIC}/console/api/oidc/callback`);
    const oidc = new OidcClient(provider.config);
    const hasStack = async (stackId: string) => stackId === existing;
    gateway = await HttpGateway.start({ console: { world, oidc, hasStack }, publicUrl: PUBLIC });
  });
  beforeEach(() => {
    provider.claims = { sub: 'u-1', groups: ['shop-team'] };
    existing = 'shop';
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });

  it('leads to the provider and back, and gives a session of its role', async () => {
    const browser = new ConsoleClient(gateway);
    const shown = await browser.send('GET', '/session');
    expect(JSON.parse(shown.body)).toMatchObject({
      oidc: { name: new URL(provider.issuer).host },
      needs_setup: false,
    });
    const back = await begin(browser);
    expect(browser.cookie).toMatch(/^__Host-sg_oidc=/);
    const done = await comeBack(browser, back);
    expect([done.status, done.headers.location]).toEqual([302, '/console/']);
    expect(done.headers['set-cookie']).toMatch(/^__Host-sg_session=.*; HttpOnly; SameSite=Strict; Secure$/);
    const session = await browser.send('GET', '/session');
    expect(JSON.parse(session.body)).toMatchObject({
      name: 'oidc:u-1',
      role: 'member',
      stack: 'shop',
      door: 'oidc',
    });
    expect(world.notes.at(-1)).toMatchObject({ actor: 'oidc:u-1', action: 'log-in', door: 'oidc' });
  });

  it('keeps its secret in a cookie that outlives the way through another site, for ten minutes', async () => {
    const answer = await new ConsoleClient(gateway).send('GET', '/oidc/start');
    expect(answer.headers['set-cookie']).toMatch(/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/);
  });

  it('is refused in another browser, and without a role', async () => {
    const back = await begin(new ConsoleClient(gateway));
    const elsewhere = new ConsoleClient(gateway);
    const stolen = await comeBack(elsewhere, back);
    expect(stolen.headers.location).toBe('/console/login#error=oidc_refused');
    expect(elsewhere.cookie).toBeUndefined();
    provider.claims = { sub: 'u-2', groups: ['none'] };
    const browser = new ConsoleClient(gateway);
    const refused = await comeBack(browser, await begin(browser));
    expect(refused.headers.location).toBe('/console/login#error=oidc_no_role');
    expect(refused.headers['set-cookie']).toBeUndefined();
    expect(await world.people.find('oidc:u-2')).toBeUndefined();
  });

  it('is refused without a role any more, and for a stack that is gone; open sessions end', async () => {
    const groups = { 'shop-team': 'gone', none: 'shop' };
    for (const [group, stack] of Object.entries(groups)) {
      const browser = new ConsoleClient(gateway);
      await comeBack(browser, await begin(browser));
      expect((await browser.send('GET', '/session')).status).toBe(200);
      existing = stack;
      provider.claims = { sub: 'u-1', groups: [group] };
      const elsewhere = new ConsoleClient(gateway);
      const refused = await comeBack(elsewhere, await begin(elsewhere));
      expect(refused.headers.location).toBe('/console/login#error=oidc_no_role');
      expect((await browser.send('GET', '/session')).status).toBe(401);
      existing = 'shop';
      provider.claims = { sub: 'u-1', groups: ['shop-team'] };
    }
  });

  async function begin(browser: ConsoleClient): Promise<string> {
    const { status, headers } = await browser.send('GET', '/oidc/start');
    expect(status).toBe(302);
    return await provider.visit(headers.location ?? '');
  }

  async function comeBack(browser: ConsoleClient, url: string) {
    return await browser.call({
      path: url.slice(PUBLIC.length),
      headers: { 'sec-fetch-site': 'cross-site' },
    });
  }
});

it('says that the provider is away', async () => {
  await using provider = await OidcServer.start('https://x.test/');
  const oidc = new OidcClient({ ...provider.config, issuer: 'http://127.0.0.1:1' });
  await using gateway = await HttpGateway.start({ console: { world: new LogInWorld(), oidc } });
  const { headers } = await new ConsoleClient(gateway).send('GET', '/oidc/start');
  expect(headers.location).toBe('/console/login#error=oidc_failed');
});
