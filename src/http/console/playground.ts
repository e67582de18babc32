import type { KeyRoute, PlaygroundRoute, Route } from '../route.ts';
import { CONSOLE_API } from './console-route.ts';

/** Where the routes of a stack are mounted for the console. */
export const PLAYGROUND = `${CONSOLE_API}/playground/:stack`;

/** The routes of a key, mounted once more for sessions. They keep their own paths, under which they are counted. */
export function mountPlayground(routes: readonly Route[]): readonly PlaygroundRoute[] {
  return routes.flatMap((route) =>
    route.access === 'key' && route.path.startsWith('/v1/') ? [forSessions(route)] : [],
  );
}

function forSessions(route: KeyRoute): PlaygroundRoute {
  return { ...route, access: 'playground', mountedAt: PLAYGROUND };
}
