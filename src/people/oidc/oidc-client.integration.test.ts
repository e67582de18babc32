import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OidcServer } from '../../../testing/people/oidc-server.ts';
import { newOidcAttempt, oidcAttempt } from './oidc-attempt.ts';
import { OidcClient } from './oidc-client.ts';

const BACK = 'https://ai.example.com/console/api/oidc/callback';

describe('a log-in at a provider', () => {
  let provider: OidcServer;
  let client: OidcClient;
  beforeAll(async () => {
    provider = await OidcServer.start(BACK);
    client = new OidcClient(provider.config);
  });
  beforeEach(() => {
    provider.claims = { sub: 'u-1', groups: ['ops'] };
    provider.tamper = (tokens) => tokens;
  });
  afterAll(async () => await provider[Symbol.asyncDispose]());

  it('gives the person and the role that the claim says', async () => {
    provider.claims = {
      sub: 'u-1',
      email: 'Ann@Example.com',
      email_verified: true,
      groups: ['x', 'shop-team'],
    };
    const { attempt, back } = await logIn();
    expect(await client.finish(back, attempt)).toEqual({
      name: 'oidc:ann@example.com',
      standing: { role: 'member', stackId: 'shop' },
    });
  });

  it('asks with PKCE, a state and a nonce, which follow from the secret of the cookie', async () => {
    const attempt = newOidcAttempt();
    const url = new URL(await client.beginAt(BACK, attempt));
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      redirect_uri: BACK,
      scope: 'openid profile email groups',
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge_method: 'S256',
    });
    expect(url.href).not.toContain(attempt.codeVerifier);
    expect(oidcAttempt(attempt.secret)).toEqual(attempt);
    expect(oidcAttempt('short')).toBeUndefined();
  });

  it('takes no address for a name that is not verified, and gives no role without a claim', async () => {
    provider.claims = { sub: 'u-1', email: 'ann@example.com', groups: [] };
    const { attempt, back } = await logIn();
    expect(await client.finish(back, attempt)).toEqual({ name: 'oidc:u-1', standing: undefined });
  });

  it('is refused for another browser, a second time, and with another state', async () => {
    const { attempt, back } = await logIn();
    await expect(client.finish(back, newOidcAttempt())).rejects.toThrow();
    const elsewhere = new URL(back);
    elsewhere.searchParams.set('state', newOidcAttempt().state);
    await expect(client.finish(elsewhere, attempt)).rejects.toThrow();
    await expect(client.finish(back, attempt)).resolves.toMatchObject({ name: 'oidc:u-1' });
    await expect(client.finish(back, attempt)).rejects.toThrow();
  });

  it.each([
    ['a changed signature', (parts: string[]) => [parts[0], parts[1], flipped(parts[2])]],
    [
      'changed claims',
      (parts: string[]) => [parts[0], encoded({ ...decoded(parts[1]), groups: ['root', 'ops'] }), parts[2]],
    ],
    ['no signature', (parts: string[]) => [encoded({ alg: 'none' }), parts[1], '']],
  ])('is refused for an ID token with %s', async (_what, change) => {
    provider.tamper = (tokens) => ({
      ...tokens,
      id_token: change(String(tokens.id_token).split('.')).join('.'),
    });
    const { attempt, back } = await logIn();
    await expect(client.finish(back, attempt)).rejects.toThrow();
  });

  async function logIn() {
    const attempt = newOidcAttempt();
    return { attempt, back: new URL(await provider.visit(await client.beginAt(BACK, attempt))) };
  }
});

it('finds the claim in the user info, and waits for a provider that is away', async () => {
  await using provider = await OidcServer.start(BACK, { inIdToken: false });
  provider.claims = { sub: 'u-1', groups: ['ops'] };
  const away = new OidcClient({ ...provider.config, issuer: 'http://127.0.0.1:1' });
  await expect(away.beginAt(BACK, newOidcAttempt())).rejects.toThrow();
  const client = new OidcClient(provider.config);
  const attempt = newOidcAttempt();
  const back = new URL(await provider.visit(await client.beginAt(BACK, attempt)));
  expect(await client.finish(back, attempt)).toMatchObject({ standing: { role: 'operator' } });
});

function flipped(signature = ''): string {
  return `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
}

function decoded(part = ''): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, 'base64url').toString());
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
