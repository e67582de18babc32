import type { AdminRoute } from './admin-route.ts';
import type { AdminSources } from './admin-sources.ts';
import { auditRoute } from './audit.ts';
import { stateRoutes } from './gateway-state.ts';
import { keyRoutes } from './keys.ts';
import { liveRequestsRoute } from './live-requests.ts';
import { stackRoutes } from './stacks.ts';
import { storedThingRoutes } from './stored-things.ts';
import { usageRoute } from './usage.ts';

/** Every route of the admin API, for all of its doors. */
export function adminRoutes(sources: AdminSources): readonly AdminRoute[] {
  return [
    ...stateRoutes(sources),
    ...stackRoutes(sources),
    ...keyRoutes(sources),
    usageRoute(sources),
    liveRequestsRoute(sources),
    ...storedThingRoutes(sources),
    auditRoute(sources),
  ];
}
