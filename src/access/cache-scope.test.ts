import { expect, it } from 'vitest';
import { cacheScopeOf } from './cache-scope.ts';

it('is unique per stack, stable, and does not reveal the stack', () => {
  const stacks = [
    { account: 'acme', id: 'shop' },
    { account: 'acme', id: 'shop2' },
    { account: 'other', id: 'shop' },
    { account: 'acmes', id: 'hop' },
  ];
  const scopes = stacks.map(cacheScopeOf);
  expect(new Set(scopes).size).toBe(stacks.length);
  // Must be the same across versions of replicas.
  expect(scopes[0]).toBe('vzP6ZK71tu7TbjetICxT4W3IuEdVG83qP_XJ1vmEs20');
  for (const scope of scopes) expect(scope).toMatch(/^[\w-]{43}$/);
});
