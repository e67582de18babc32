import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';
import type { OidcConfig } from '../../src/config/config.ts';
import { Secret } from '../../src/config/secret.ts';
import { isRecord } from '../schema-problems.ts';

const CLIENT_SECRET = 'a secret of the gateway';
const MOST_REDIRECTS = 12;

/** A real provider of OpenID Connect on the loopback. Its one person logs in and consents without being asked. */
export class OidcServer implements AsyncDisposable {
  /** Claims of the person who logs in. */
  claims: Readonly<Record<string, unknown>> = { sub: 'u-1' };
  /** Changes the answer of the token endpoint. */
  tamper: (tokens: Record<string, unknown>) => Record<string, unknown> = (tokens) => tokens;
  readonly #server: Server;
  readonly #redirectUri: string;

  private constructor(server: Server, redirectUri: string) {
    this.#server = server;
    this.#redirectUri = redirectUri;
  }

  /** `inIdToken`: whether the ID token has all claims, or only the user info. */
  static async start(redirectUri: string, { inIdToken = true } = {}): Promise<OidcServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const oidc = new OidcServer(server, redirectUri);
    const provider = new Provider(oidc.issuer, oidc.#configuration(inIdToken));
    const serve = provider.callback();
    server.on('request', (request, response) => {
      if (request.url?.startsWith('/interaction/') === true) void oidc.#consent(provider, request, response);
      else {
        if (request.url === '/token') oidc.#changeAnswer(response);
        void serve(request, response);
      }
    });
    return oidc;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The section of the configuration for it. */
  get config(): OidcConfig {
    return {
      issuer: this.issuer,
      clientId: 'stackgate',
      clientSecret: new Secret(CLIENT_SECRET),
      roles: { claim: 'groups', operator: ['ops'], readOnly: [], member: { 'shop-team': 'shop' } },
    };
  }

  /** Opens a page of the provider as a browser would; returns the address to which it is sent back. */
  async visit(start: string): Promise<string> {
    const cookies = new Map<string, string>();
    let url = start;
    for (let hop = 0; hop < MOST_REDIRECTS; hop += 1) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
      for (const text of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
        cookies.set(name, value);
      }
      const next = answer.headers.get('location');
      if (next === null) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`);
      url = new URL(next, url).href;
      if (url.startsWith(this.#redirectUri)) return url;
    }
    throw new Error('the provider redirects for ever');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #configuration(inIdToken: boolean): Configuration {
    return {
      clients: [{ client_id: 'stackgate', client_secret: CLIENT_SECRET, redirect_uris: [this.#redirectUri] }],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
      conformIdTokenClaims: !inIdToken,
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      cookies: { keys: ['a key of the test'] },
      findAccount: async () => ({
        accountId: String(this.claims.sub),
        claims: async () => ({ sub: String(this.claims.sub), ...this.claims }),
      }),
    };
  }

  #changeAnswer(response: ServerResponse): void {
    const end = response.end.bind(response);
    response.end = ((body: unknown) => {
      const tokens: unknown = JSON.parse(String(body));
      const text = JSON.stringify(isRecord(tokens) ? this.tamper({ ...tokens }) : tokens);
      response.setHeader('content-length', Buffer.byteLength(text));
      return end(text);
    }) as typeof response.end;
  }

  async #consent(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params, prompt } = await provider.interactionDetails(request, response);
    const accountId = String(this.claims.sub);
    if (prompt.name === 'login') {
      await provider.interactionFinished(request, response, { login: { accountId } });
      return;
    }
    const grant = new provider.Grant({ accountId, clientId: String(params.client_id) });
    grant.addOIDCScope(String(params.scope));
    const consent = { grantId: await grant.save() };
    await provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
  }
}
