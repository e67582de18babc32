import { describe, expect, test } from 'vitest';
import { nearestName } from './nearest-name.ts';

describe('nearestName', () => {
  const known = ['host', 'port', 'trust_proxy', 'timeout_seconds', 'cors'];

  test.each([
    ['prot', 'port'],
    ['hots', 'host'],
    ['Port', 'port'],
    ['trust-proxy', 'trust_proxy'],
    ['trustproxy', 'trust_proxy'],
    ['timeout_secnods', 'timeout_seconds'],
    ['corss', 'cors'],
  ])('takes %s for %s', (typed, meant) => {
    expect(nearestName(typed, known)).toBe(meant);
  });

  test.each(['address', 'x', '', 'timeout', 'list'])('takes %j for nothing', (typed) => {
    expect(nearestName(typed, known)).toBeUndefined();
  });
});
