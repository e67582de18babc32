import { adminFamily } from '../../families/admin-family.ts';
import type { VisitorRoute } from '../route.ts';
import { CONSOLE_API } from './console-route.ts';

/** A route of the console by which a visitor logs in; it is in no description. */
export function visitorRoute(
  { method, path, body }: Pick<VisitorRoute, 'method' | 'path' | 'body'>,
  handle: VisitorRoute['handle'],
): VisitorRoute {
  return {
    method,
    path: `${CONSOLE_API}${path}`,
    access: 'visitor',
    family: adminFamily,
    body,
    group: 'Admin',
    summary: 'Console',
    detail: 'Of the console alone.',
    answer: { contentType: 'application/json' },
    handle,
  };
}
