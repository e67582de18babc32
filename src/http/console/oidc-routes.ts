import { Fault } from '../../faults/fault.ts';
import { addressGroup } from '../../lib/address-group.ts';
import type { LogIns } from '../../people/log-ins.ts';
import { newOidcAttempt, oidcAttempt } from '../../people/oidc/oidc-attempt.ts';
import type { OidcClient } from '../../people/oidc/oidc-client.ts';
import type { Standing } from '../../people/person.ts';
import { FairQueue } from '../../supervision/fair-queue.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Answer } from '../answer.ts';
import type { LinkOrigin } from '../link-origin.ts';
import type { VisitorRequest, VisitorRoute } from '../route.ts';
import { CONSOLE_API, visitorRoute } from './console-route.ts';
import { attemptCookie, sessionCookie } from './session-cookie.ts';
import type { SessionDoor } from './session-door.ts';

// Each asks the provider.
const AT_A_TIME = 8;
const AT_A_TIME_PER_ADDRESS = 2;
const MAX_WAITING = 64;
const MAX_WAITING_PER_ADDRESS = 8;
const CALLBACK = `${CONSOLE_API}/oidc/callback`;

export interface OidcRouteParts {
  readonly door: SessionDoor;
  readonly logIns: LogIns;
  readonly client: OidcClient;
  readonly origin: LinkOrigin;
  readonly log: Pick<Log, 'warn'>;
  readonly hasStack: (stackId: string) => Promise<boolean>;
}

/** Log-in by OpenID Connect: the way to the provider and back. */
export function oidcRoutes(parts: OidcRouteParts): readonly VisitorRoute[] {
  const queue = new FairQueue({
    capacity: AT_A_TIME,
    runningPerStack: AT_A_TIME_PER_ADDRESS,
    maxWaiting: MAX_WAITING,
    maxWaitingPerStack: MAX_WAITING_PER_ADDRESS,
    refusal: tooManyAtOnce,
  });
  return [
    visitorRoute('GET', '/oidc/start', (request) => begin(parts, request)),
    visitorRoute('GET', '/oidc/callback', (request) =>
      queue.run(addressGroup(request.address), request.signal, () => finish(parts, request)),
    ),
  ];
}

async function begin(
  { door, client, origin, log }: OidcRouteParts,
  request: VisitorRequest,
): Promise<Answer> {
  const attempt = newOidcAttempt();
  try {
    const url = await client.beginAt(origin.urlOf(CALLBACK, request), attempt);
    return redirect(url, door.write(attemptCookie, attempt.secret, request.header));
  } catch (error) {
    log.warn({ error }, 'the provider of OpenID Connect cannot be asked');
    return redirect('/console/login#error=oidc_failed');
  }
}

async function finish(parts: OidcRouteParts, request: VisitorRequest): Promise<Answer> {
  const { door, logIns } = parts;
  const person = await whoCameBack(parts, request);
  if (person === undefined) return redirect('/console/login#error=oidc_refused');
  const { name, standing } = person;
  if (standing === undefined || !(await isThere(parts, standing))) {
    await logIns.refuseOidc(name, request.address);
    return redirect('/console/login#error=oidc_no_role');
  }
  const logInOrigin = { address: request.address, formerToken: door.tokenOf(request.header) };
  const { token } = await logIns.byOidc({ name, ...standing }, logInOrigin);
  return redirect('/console/', door.write(sessionCookie, token, request.header));
}

/** Whether the stack of a member exists. */
async function isThere({ hasStack, log }: OidcRouteParts, { stackId }: Standing): Promise<boolean> {
  if (stackId === undefined || (await hasStack(stackId))) return true;
  log.warn(
    { setting: 'console.oidc.roles.member', stack: stackId },
    'there is no such stack for its members',
  );
  return false;
}

async function whoCameBack({ door, client, origin, log }: OidcRouteParts, request: VisitorRequest) {
  const attempt = oidcAttempt(door.read(attemptCookie, request.header));
  const cameBackTo = origin.urlOf(`${CALLBACK}?${request.query}`, request);
  if (attempt === undefined || !URL.canParse(cameBackTo)) return undefined;
  try {
    return await client.finish(new URL(cameBackTo), attempt);
  } catch (error) {
    if (error instanceof Fault) throw error;
    log.warn({ error }, 'a log-in by OpenID Connect was refused');
    return undefined;
  }
}

function redirect(location: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status: 302,
    contentType: 'text/plain',
    headers: { location, 'cache-control': 'no-store', ...headers },
    body: '',
  };
}

function tooManyAtOnce(): Fault {
  return new Fault('too-many-log-ins', 'Too many log-ins are being checked at this moment. Try again.', {
    retryAfterSeconds: 2,
  });
}
