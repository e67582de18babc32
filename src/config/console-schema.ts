import * as z from 'zod';
import { identifier, mapping, text } from './value-schemas.ts';

const enabledExpected = 'auto, true or false';
const issuerExpected = 'a URL that begins with https:// (at the loopback also with http://)';
const valuesExpected = 'a text, or a list of texts';

const values = () => z.union([text(), z.array(text())], valuesExpected).default([]);

const roles = mapping({
  claim: text().describe(
    'Claim that tells the role, of the ID token or of the user info; a path where it is inside others. Example: `groups`.',
  ),
  operator: values().describe('Values that make an operator. Example: `[ai-operators]`.'),
  read_only: values().describe('Values that let see everything and change nothing.'),
  member: z
    .record(text(), identifier(), 'a mapping of values to stacks')
    .default({})
    .describe('Values that make a member of one stack. Example: `{ shop-team: shop }`.'),
});

const oidc = mapping({
  issuer: z
    .string(issuerExpected)
    .refine(isSafeIssuer, issuerExpected)
    .describe('Address of the provider. Example: `https://login.example.com/realms/main`.'),
  client_id: text().describe('Id of the gateway at the provider.'),
  client_secret: text().optional().describe('Secret of the gateway at the provider; absent: PKCE alone.'),
  roles: roles.describe('Roles of people; whom no value gives one cannot log in.'),
});

/** The section `console`. */
export const consoleShape = {
  enabled: z
    .union([z.literal('auto'), z.boolean()], enabledExpected)
    .default('auto')
    .describe(
      'Whether there is a console; `auto`: where `server.host` is the loopback, `server.tls` is set or `server.public_url` begins with `https://`.',
    ),
  oidc: z
    .preprocess((value) => value ?? undefined, oidc.optional())
    .optional()
    .describe('Log-in by OpenID Connect; absent: with passwords alone.'),
};

function isSafeIssuer(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(value);
  if (username !== '' || password !== '' || search !== '' || hash !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname.replace(/^\[|\]$/g, '')));
}

/** Whether a host is this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
