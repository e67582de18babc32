import { SESSION_MAX_MS } from '../../people/sessions.ts';

/** Reads a header by its lower-case name. */
export type HeaderReader = (name: string) => string | undefined;

/** A cookie of the console. Over https its name binds it to this host; a plain one is for http at the loopback. */
export interface ConsoleCookie {
  readonly name: string;
  readonly sameSite: 'Strict' | 'Lax';
  readonly maxAgeSeconds: number;
}

const ATTEMPT_SECONDS = 600;

/** Holds the token of a session. */
export const sessionCookie: ConsoleCookie = {
  name: 'sg_session',
  sameSite: 'Strict',
  maxAgeSeconds: SESSION_MAX_MS / 1000,
};

/** Holds the secret of a log-in at a provider. `Lax`, because the provider's page leads back. */
export const attemptCookie: ConsoleCookie = {
  name: 'sg_oidc',
  sameSite: 'Lax',
  maxAgeSeconds: ATTEMPT_SECONDS,
};

/** The value that a request has for a cookie; `undefined` if there is none, or more than one. */
export function readCookie(
  { name }: ConsoleCookie,
  header: HeaderReader,
  isSecure: boolean,
): string | undefined {
  const wanted = `${fullName(name, isSecure)}=`;
  const cookies = (header('cookie') ?? '').split(';').map((text) => text.trim());
  const [first, second] = cookies.filter((text) => text.startsWith(wanted));
  return second === undefined ? first?.slice(wanted.length) : undefined;
}

/** The header that sets a cookie, or removes it. */
export function writeCookie(
  { name, sameSite, maxAgeSeconds }: ConsoleCookie,
  value: string | undefined,
  isSecure: boolean,
): Readonly<Record<string, string>> {
  const age = value === undefined ? 0 : maxAgeSeconds;
  const secure = isSecure ? '; Secure' : '';
  const text = `${fullName(name, isSecure)}=${value ?? ''}; Path=/; Max-Age=${age}; HttpOnly; SameSite=${sameSite}${secure}`;
  return { 'set-cookie': text };
}

function fullName(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name;
}
