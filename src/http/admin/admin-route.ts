import { adminFamily } from '../../families/admin-family.ts';
import type { OperatorDoor } from '../operator-door.ts';
import type { OperatorRoute } from '../route.ts';

/** A route of the admin API, before it is mounted at a door. Its path has no prefix. */
export type AdminRoute = Omit<OperatorRoute, 'access' | 'door' | 'right' | 'family'> & {
  /** Whether it changes something, which read-only operators may not. */
  readonly access: OperatorRoute['right'];
};

/** The place of the admin API for one kind of credential. */
export interface AdminMount {
  readonly prefix: string;
  readonly door: OperatorDoor;
}

/** The routes at a door. */
export function mountAdminRoutes(
  routes: readonly AdminRoute[],
  { prefix, door }: AdminMount,
): readonly OperatorRoute[] {
  return routes.map(({ access, path, ...route }) => ({
    ...route,
    path: `${prefix}${path}`,
    family: adminFamily,
    access: 'operator',
    door,
    right: access,
  }));
}
