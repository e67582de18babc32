import { adminFamily } from '../../families/admin-family.ts';
import { Fault } from '../../faults/fault.ts';
import { orDatabaseAway } from '../../store/database-errors.ts';
import type { Answer, Delivery } from '../answer.ts';
import type { OperatorDoor } from '../operator-door.ts';
import type { OperatorRequest, OperatorRoute } from '../route.ts';
import { refusing } from './admin-answers.ts';

/** A route of the admin API, before it is mounted at a door. Its path has no prefix. */
export type AdminRoute = Omit<OperatorRoute, 'access' | 'door' | 'right' | 'family' | 'group'> & {
  /** Whether it changes something, which read-only operators may not. */
  readonly access: OperatorRoute['right'];
};

/** Members of every route that only reads. */
export const reading = { method: 'GET', access: 'read', body: { kind: 'none' } } as const;

/** The routes at the door for one kind of credential. */
export function mountAdminRoutes(
  routes: readonly AdminRoute[],
  { prefix, door }: { readonly prefix: string; readonly door: OperatorDoor },
): readonly OperatorRoute[] {
  return routes.map(({ access, path, handle, ...route }) => ({
    ...route,
    handle: (request) => orDatabaseAway(handled(handle, request)),
    path: `${prefix}${path}`,
    family: adminFamily,
    group: 'Admin',
    access: 'operator',
    door,
    right: access,
  }));
}

async function handled(handle: AdminRoute['handle'], request: OperatorRequest): Promise<Answer | Delivery> {
  requireStorableNames(request);
  // Forms of the console send empty fields.
  for (const [name, value] of [...request.query]) if (value === '') request.query.delete(name);
  return await refusing(async () => handle(request));
}

/** PostgreSQL has no NUL in texts, so nothing can have such a name. */
function requireStorableNames({ params, query }: OperatorRequest): void {
  if (Object.values(params).some(hasNul))
    throw new Fault('admin-object-not-found', 'There is no such thing.');
  for (const [name, value] of query)
    if (hasNul(value)) {
      const message = `\`${name.slice(0, 50)}\` must not have the character NUL in it.`;
      throw new Fault('invalid-request', message, { param: name });
    }
}

function hasNul(text: string): boolean {
  return text.includes('\0');
}
