import type { OidcRoles } from '../../config/config.ts';
import { isRecord, type JsonRecord } from '../../lib/json-record.ts';
import type { Standing } from '../person.ts';

/** The role that claims give: the first of operator, read-only and member that a value of the claim names. */
export function oidcStanding(claims: JsonRecord, roles: OidcRoles): Standing | undefined {
  const values = claimValues(claims, roles.claim);
  const has = (value: string) => values.includes(value);
  if (roles.operator.some(has)) return { role: 'operator', stackId: undefined };
  if (roles.readOnly.some(has)) return { role: 'read-only', stackId: undefined };
  const membership = Object.entries(roles.member).find(([value]) => has(value));
  return membership === undefined ? undefined : { role: 'member', stackId: membership[1] };
}

/** Whether the claim is there at all. */
export function hasClaim(claims: JsonRecord, name: string): boolean {
  return claimOf(claims, name) !== undefined;
}

function claimValues(claims: JsonRecord, name: string): readonly unknown[] {
  const claim = claimOf(claims, name);
  return Array.isArray(claim) ? claim : [claim];
}

/** A claim by its name, or by its path through objects: Keycloak has `realm_access.roles`. */
function claimOf(claims: JsonRecord, name: string): unknown {
  if (name in claims) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) value = isRecord(value) ? value[part] : undefined;
  return value;
}
