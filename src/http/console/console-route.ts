import { adminFamily } from '../../families/admin-family.ts';
import type { OperatorDoor } from '../operator-door.ts';
import type { OperatorRoute } from '../route.ts';

/** The place of the console's own API. */
export const CONSOLE_API = '/console/api';

/** A route of the console alone, which is in no description. */
export function consoleRoute(
  door: OperatorDoor,
  { method, path, right, body }: Pick<OperatorRoute, 'method' | 'path' | 'right' | 'body'>,
  handle: OperatorRoute['handle'],
): OperatorRoute {
  return {
    method,
    path: `${CONSOLE_API}${path}`,
    access: 'operator',
    door,
    right,
    family: adminFamily,
    body,
    group: 'Admin',
    summary: 'Console',
    detail: 'Of the console alone.',
    answer: { contentType: 'application/json' },
    handle,
  };
}
