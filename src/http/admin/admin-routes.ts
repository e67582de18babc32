import type { AdminRoute } from './admin-route.ts';
import type { AdminSources } from './admin-sources.ts';
import { keyRoutes } from './keys.ts';
import { stackRoutes } from './stacks.ts';

/** Every route of the admin API, for all of its doors. */
export function adminRoutes(sources: AdminSources): readonly AdminRoute[] {
  return [...stackRoutes(sources), ...keyRoutes(sources)];
}
