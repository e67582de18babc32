import type { OidcClient } from '../../people/oidc/oidc-client.ts';
import type { Log } from '../../telemetry/log.ts';
import type { OperatorRoute, PlaygroundRoute, Route } from '../route.ts';
import { type CaptureRouteParts, captureRoutes } from './capture-routes.ts';
import type { ConsoleFiles } from './console-files.ts';
import { consolePages } from './console-pages.ts';
import { CONSOLE_API, PLAYGROUND } from './console-route.ts';
import { oidcRoutes } from './oidc-routes.ts';
import { type PagePictureParts, pagePictures } from './page-pictures.ts';
import type { SessionDoor } from './session-door.ts';
import { type SessionRouteParts, sessionRoutes } from './session-routes.ts';

const ADMIN_API = '/admin/v1';

export interface ConsoleParts
  extends Omit<SessionRouteParts, 'oidcName'>,
    Omit<CaptureRouteParts, 'door'>,
    PagePictureParts {
  readonly door: SessionDoor;
  /** Absent: there is no provider of OpenID Connect. */
  readonly oidc: OidcClient | undefined;
  readonly files: ConsoleFiles;
  readonly log: Pick<Log, 'warn'>;
  readonly hasStack: (stackId: string) => Promise<boolean>;
}

/**
 * Everything under /console: its pages, its log-in, and the routes of operators and of keys once more, for sessions. None of it
 * is in the API description.
 */
export function consoleRoutes(routes: readonly Route[], parts: ConsoleParts): readonly Route[] {
  const { oidc, door } = parts;
  return [
    ...sessionRoutes({ ...parts, oidcName: oidc?.name }),
    ...(oidc === undefined ? [] : oidcRoutes({ ...parts, client: oidc })),
    ...captureRoutes(parts),
    ...mountOperatorRoutes(routes, door),
    ...mountPlayground(routes),
    pagePictures(parts),
    ...consolePages(parts.files),
  ];
}

function mountOperatorRoutes(routes: readonly Route[], door: SessionDoor): readonly OperatorRoute[] {
  return routes.flatMap((route) =>
    route.access === 'operator' && route.path.startsWith(`${ADMIN_API}/`)
      ? [{ ...route, door, path: `${CONSOLE_API}${route.path.slice(ADMIN_API.length)}` }]
      : [],
  );
}

/** The routes of a key, mounted once more for sessions. They keep their own paths, under which they are counted. */
function mountPlayground(routes: readonly Route[]): readonly PlaygroundRoute[] {
  return routes.flatMap((route) =>
    route.access === 'key' && route.path.startsWith('/v1/')
      ? [{ ...route, access: 'playground', mountedAt: PLAYGROUND }]
      : [],
  );
}
