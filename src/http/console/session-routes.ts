import { z } from 'zod';
import type { Authenticator } from '../../access/authenticator.ts';
import type { Caller } from '../../access/caller.ts';
import { KeyGuard } from '../../access/key-guard.ts';
import { isKeySecret, isMistypedSecret } from '../../access/key-secret.ts';
import { Fault } from '../../faults/fault.ts';
import { packageVersion } from '../../lib/package-version.ts';
import type { LogInOrigin, LogIns } from '../../people/log-ins.ts';
import type { PeopleStore } from '../../people/people-store.ts';
import type { OpenedSession, Session } from '../../people/sessions.ts';
import { readAdminBody } from '../admin/read-admin-body.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import type { LinkOrigin } from '../link-origin.ts';
import type { OperatorRequest, OperatorRoute, VisitorRequest, VisitorRoute } from '../route.ts';
import { consoleRoutesAt, visitorRoute } from './console-route.ts';
import { requireSameOrigin } from './same-origin.ts';
import { sessionCookie } from './session-cookie.ts';
import type { SessionDoor } from './session-door.ts';

const word = z.string('a text').max(1_000, 'a text of at most 1000 characters');
const logInSchema = z.union(
  [z.strictObject({ name: word, password: word }), z.strictObject({ api_key: word })],
  'name and password, or api_key',
);
const setupSchema = z.strictObject({ token: word, name: word.optional(), password: word });
const passwordSchema = z.strictObject({ current: word, password: word });

const NO_STORE = { 'cache-control': 'no-store' };

export interface SessionRouteParts {
  readonly door: SessionDoor;
  readonly logIns: LogIns;
  readonly people: Pick<PeopleStore, 'list' | 'hasAny'>;
  readonly authenticator: Pick<Authenticator, 'hash' | 'authenticate'>;
  readonly origin: LinkOrigin;
  /** The provider of OpenID Connect by its name; absent: none. */
  readonly oidcName: string | undefined;
}

/** Log-in, log-out, set-up and the people of the console. */
export function sessionRoutes(parts: SessionRouteParts): readonly (VisitorRoute | OperatorRoute)[] {
  const route = consoleRoutesAt(parts.door);
  return [
    visitorRoute('GET', '/session', (request) => showSession(parts, request)),
    visitorRoute('POST', '/session', (request) => logIn(parts, request)),
    visitorRoute('POST', '/setup', (request) => setUp(parts, request)),
    route('DELETE', '/session', 'read', (request) => logOut(parts, request)),
    route('POST', '/password', 'read', (request) => changePassword(parts, request)),
    route('GET', '/people', 'read', (request) => listPeople(parts, request)),
  ];
}

async function showSession(parts: SessionRouteParts, request: VisitorRequest): Promise<Answer> {
  const session = await parts.door.findSession(request);
  if (session !== undefined) return sessionAnswer(parts, session);
  const oidc = oidcView(parts);
  const needsSetup = oidc === null && !(await parts.door.ask(request, () => parts.people.hasAny()));
  throw new Fault('session-required', 'You are not logged in.', {
    bodyMembers: { oidc, needs_setup: needsSetup },
    headers: NO_STORE,
  });
}

async function logIn(parts: SessionRouteParts, request: VisitorRequest): Promise<Answer> {
  requireSameOrigin('POST', request.header, parts.origin);
  const body = readAdminBody(logInSchema, request.body);
  const origin = logInOrigin(parts, request);
  if ('name' in body) return openedAnswer(parts, request, await parts.logIns.byPassword(body, origin));
  const secretHash = parts.authenticator.hash(body.api_key);
  const { stack, key } = await findCaller(parts, request, { pasted: body.api_key, secretHash });
  const secret = { stackId: stack.id, keyId: key.id, secretHash: secretHash ?? '' };
  const rights = { knowledge: key.knowledge, allowedIps: key.restrictions?.allowedIps };
  return openedAnswer(parts, request, await parts.logIns.byKey(secret, rights, origin));
}

interface PastedKey {
  readonly pasted: string;
  readonly secretHash: string | undefined;
}

async function findCaller(
  { authenticator }: SessionRouteParts,
  request: VisitorRequest,
  { pasted, secretHash }: PastedKey,
): Promise<Caller> {
  const { address } = request;
  try {
    const caller = await authenticator.authenticate(secretHash, address, request);
    const refusal = sessionRefusal(caller, address);
    if (refusal !== undefined) throw refusal;
    return caller;
  } catch (error) {
    throw wordedForPeople(error, pasted);
  }
}

async function setUp(parts: SessionRouteParts, request: VisitorRequest): Promise<Answer> {
  requireSameOrigin('POST', request.header, parts.origin);
  const { name, ...body } = readAdminBody(setupSchema, request.body);
  const opened = await parts.logIns.byLink({ ...body, name }, logInOrigin(parts, request));
  return openedAnswer(parts, request, opened);
}

async function changePassword(parts: SessionRouteParts, request: OperatorRequest): Promise<Answer> {
  const body = readAdminBody(passwordSchema, request.body);
  const session = await parts.door.requireSession(request);
  const opened = await parts.logIns.changePassword(session, body, logInOrigin(parts, request));
  return openedAnswer(parts, request, opened);
}

async function logOut({ door, logIns }: SessionRouteParts, request: OperatorRequest): Promise<Answer> {
  const { header, address } = request;
  await logIns.end(await door.requireSession(request), address);
  return { ...jsonAnswer({}), headers: { ...NO_STORE, ...door.write(sessionCookie, undefined, header) } };
}

async function listPeople({ people }: SessionRouteParts, { operator }: OperatorRequest): Promise<Answer> {
  if (operator.stackId !== undefined) {
    throw new Fault('operator-refused', `"${operator.name}" has one stack, and sees no other people.`);
  }
  const data = (await people.list()).map(({ name, role, stackId, passwordHash, createdAt, lastLogInAt }) => ({
    name,
    role,
    stack: stackId ?? null,
    password: passwordHash !== undefined,
    created_at: createdAt,
    last_log_in_at: lastLogInAt ?? null,
  }));
  return jsonAnswer({ data, next_cursor: null });
}

function logInOrigin({ door }: SessionRouteParts, { address, header }: VisitorRequest): LogInOrigin {
  return { address, formerToken: door.tokenOf(header) };
}

function openedAnswer(
  parts: SessionRouteParts,
  { header }: VisitorRequest,
  { session, token }: OpenedSession,
): Answer {
  const answer = sessionAnswer(parts, session);
  return { ...answer, headers: { ...answer.headers, ...parts.door.write(sessionCookie, token, header) } };
}

function sessionAnswer(parts: SessionRouteParts, session: Session): Answer {
  const { name, role, stackId, key, door, expiresAt } = session;
  const view = {
    name,
    role,
    stack: stackId ?? null,
    door,
    read_only: role === 'read-only' || key !== undefined,
    playground: role !== 'read-only',
    expires_at: expiresAt,
    oidc: oidcView(parts),
    version: packageVersion(),
  };
  return { ...jsonAnswer(view), headers: NO_STORE };
}

function oidcView({ oidcName }: SessionRouteParts): { readonly name: string } | null {
  return oidcName === undefined ? null : { name: oidcName };
}

/** Why a key has no session at this address. A session sees the whole stack, so that a key with less power has none. */
export function sessionRefusal({ key }: Caller, address: string): Fault | undefined {
  const { restrictions, ownImagesOnly } = key;
  const refusal = restrictions && new KeyGuard().refusal(restrictions, { isForReaders: true }, address);
  if (refusal !== undefined) return refusal;
  if (restrictions?.scopes === undefined && !ownImagesOnly) return undefined;
  return new Fault('scope-not-allowed', 'A key that sees only a part of its stack cannot be used to log in.');
}

/** The refusal of a pasted key, for a person: what a program is told of a header helps nobody who looks at a form. */
export function wordedForPeople(refusal: unknown, pasted: string): unknown {
  if (!(refusal instanceof Fault) || refusal.code !== 'credential-refused') return refusal;
  return new Fault(refusal.code, whyUnknown(pasted));
}

function whyUnknown(pasted: string): string {
  if (isMistypedSecret(pasted)) return 'This API key is mistyped: its last characters do not fit the others.';
  if (!isKeySecret(pasted))
    return 'This is an operator token, which opens the admin API only. Paste an API key.';
  return 'No stack has this API key: it is cut off or of another gateway, was revoked or replaced, has expired, or its stack is disabled.';
}
