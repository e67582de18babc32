import { expect, it } from 'vitest';
import { oidcStanding } from './oidc-standing.ts';

const roles = {
  claim: 'groups',
  operator: ['ops', 'root'],
  readOnly: ['audit'],
  member: { 'shop-team': 'shop', 'docs-team': 'docs' },
};

it.each([
  [{ groups: ['ops'] }, 'operator', undefined],
  [{ groups: 'root' }, 'operator', undefined],
  [{ groups: ['shop-team', 'audit', 'ops'] }, 'operator', undefined],
  [{ groups: ['shop-team', 'audit'] }, 'read-only', undefined],
  [{ groups: ['docs-team'] }, 'member', 'docs'],
])('gives %j the role %s', (claims, role, stackId) => {
  expect(oidcStanding(claims, roles)).toEqual({ role, stackId });
});

it.each([
  [{}],
  [{ groups: [] }],
  [{ groups: ['toString'] }],
  [{ groups: null }],
  [{ groups: { ops: true } }],
  [{ other: 'ops' }],
])('gives %j no role', (claims) => {
  expect(oidcStanding(claims, roles)).toBeUndefined();
});

it('finds a claim inside others', () => {
  const nested = { ...roles, claim: 'realm_access.roles' };
  expect(oidcStanding({ realm_access: { roles: ['ops'] } }, nested)?.role).toBe('operator');
  expect(oidcStanding({ 'realm_access.roles': ['ops'] }, nested)?.role).toBe('operator');
  expect(oidcStanding({ realm_access: 'ops' }, nested)).toBeUndefined();
});
