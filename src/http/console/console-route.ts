import { adminFamily } from '../../families/admin-family.ts';
import { jsonBody } from '../body-rules.ts';
import type { OperatorDoor } from '../operator-door.ts';
import type { OperatorRoute, VisitorRoute } from '../route.ts';

/** The place of the console's own API. */
export const CONSOLE_API = '/console/api';

/** Where the routes of a stack are mounted for the console. */
export const PLAYGROUND = `${CONSOLE_API}/playground/:stack`;

type Method = 'GET' | 'POST' | 'DELETE';

/** Makes routes of the console alone, for those who are logged in. */
export function consoleRoutesAt(door: OperatorDoor) {
  return (
    method: Method,
    path: string,
    right: OperatorRoute['right'],
    handle: OperatorRoute['handle'],
  ): OperatorRoute => ({ ...ofConsole(method, path), access: 'operator', door, right, handle });
}

/** A route of the console by which a visitor logs in. */
export function visitorRoute(method: Method, path: string, handle: VisitorRoute['handle']): VisitorRoute {
  return { ...ofConsole(method, path), access: 'visitor', handle };
}

/** These routes are in no description. */
function ofConsole(method: Method, path: string) {
  return {
    method,
    path: `${CONSOLE_API}${path}`,
    family: adminFamily,
    body: method === 'POST' ? jsonBody : ({ kind: 'none' } as const),
    group: 'Admin',
    summary: 'Console',
    detail: 'Of the console alone.',
    answer: { contentType: 'application/json' },
  } as const;
}
