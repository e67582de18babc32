import * as openid from 'openid-client';
import type { OidcConfig } from '../../config/config.ts';
import type { JsonRecord } from '../../lib/json-record.ts';
import { OIDC_PREFIX, type Standing } from '../person.ts';
import type { OidcAttempt } from './oidc-attempt.ts';
import { hasClaim, oidcStanding } from './oidc-standing.ts';

const TIMEOUT_SECONDS = 10;
const SCOPES = ['openid', 'profile', 'email'];

/** A person whom the provider has named; without a role if no claim gives one. */
export interface OidcPerson {
  readonly name: string;
  readonly standing: Standing | undefined;
}

/** Logs in at one provider of OpenID Connect: authorization code with PKCE. */
export class OidcClient {
  readonly #config: OidcConfig;
  #provider: Promise<openid.Configuration> | undefined;

  constructor(config: OidcConfig) {
    this.#config = config;
  }

  /** As the button for it says. */
  get name(): string {
    return new URL(this.#config.issuer).host;
  }

  /** The provider's page to which the browser is sent. */
  async beginAt(redirectUrl: string, attempt: OidcAttempt): Promise<string> {
    const provider = await this.#discovered();
    const url = openid.buildAuthorizationUrl(provider, {
      redirect_uri: redirectUrl,
      scope: this.#scopes(provider),
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(attempt.codeVerifier),
      code_challenge_method: 'S256',
    });
    return url.href;
  }

  /** Redeems the code with which the provider sent the browser back. Throws if anything in it is not as it must be. */
  async finish(cameBackTo: URL, attempt: OidcAttempt): Promise<OidcPerson> {
    const provider = await this.#discovered();
    const tokens = await openid.authorizationCodeGrant(provider, cameBackTo, {
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.codeVerifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new Error('the provider sent no ID token');
    const { roles } = this.#config;
    const all: JsonRecord = hasClaim(claims, roles.claim)
      ? claims
      : { ...(await this.#userInfo(provider, tokens.access_token, claims.sub)), ...claims };
    return { name: personOf(all), standing: oidcStanding(all, roles) };
  }

  /** Some providers tell groups there only. */
  async #userInfo(provider: openid.Configuration, accessToken: string, subject: string): Promise<JsonRecord> {
    if (provider.serverMetadata().userinfo_endpoint === undefined) return {};
    return await openid.fetchUserInfo(provider, accessToken, subject);
  }

  /** Asks for the scope of the claim too, where the provider has one of that name. */
  #scopes(provider: openid.Configuration): string {
    const { claim } = this.#config.roles;
    const known = provider.serverMetadata().scopes_supported ?? [];
    return [...SCOPES, ...(known.includes(claim) && !SCOPES.includes(claim) ? [claim] : [])].join(' ');
  }

  /** Asked once; after a failure again. */
  #discovered(): Promise<openid.Configuration> {
    this.#provider ??= this.#discover().catch((error: unknown) => {
      this.#provider = undefined;
      throw error;
    });
    return this.#provider;
  }

  #discover(): Promise<openid.Configuration> {
    const { issuer, clientId, clientSecret } = this.#config;
    // The library verifies signatures of ID tokens only on request, because they come from the provider itself.
    const execute = [openid.enableNonRepudiationChecks];
    if (issuer.startsWith('http:')) execute.push(openid.allowInsecureRequests);
    return openid.discovery(
      new URL(issuer),
      clientId,
      undefined,
      clientSecret === undefined ? openid.None() : openid.ClientSecretBasic(clientSecret.reveal()),
      { execute, timeout: TIMEOUT_SECONDS },
    );
  }
}

/** A verified address or the subject: at many providers people can change all other names themselves. */
function personOf({ sub, email, email_verified }: JsonRecord): string {
  const name = typeof email === 'string' && email_verified === true ? email.toLowerCase() : String(sub);
  return `${OIDC_PREFIX}${name.slice(0, 200)}`;
}
