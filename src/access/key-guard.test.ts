import { describe, expect, it } from 'vitest';
import { KeyGuard, type KeyRestrictions } from './key-guard.ts';

const none: KeyRestrictions = { scopes: undefined, allowedIps: undefined, readOnly: false };
const chat = { scope: 'chat', isForReaders: false } as const;

/** The code of the refusal, if there is one. */
function refusal(
  restrictions: Partial<KeyRestrictions>,
  use: Parameters<KeyGuard['check']>[1],
  address: string,
) {
  try {
    new KeyGuard().check({ ...none, ...restrictions }, use, address);
    return undefined;
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
}

describe('the addresses of a key', () => {
  const allowedIps = ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'];

  it.each([
    ['10.255.0.1', true],
    ['11.0.0.1', false],
    ['192.0.2.7', true],
    ['192.0.2.8', false],
    ['2001:db8:1::5', true],
    ['2001:db9::5', false],
    ['::ffff:10.1.2.3', true],
    ['::ffff:11.1.2.3', false],
    ['', false],
    ['unknown', false],
  ])('%s: %s', (address, isAllowed) => {
    expect(refusal({ allowedIps }, chat, address)).toBe(isAllowed ? undefined : 'address-not-allowed');
  });
});

describe('the scopes of a key', () => {
  const scopes = ['chat', 'models'] as const;

  it('open what they name, and nothing else', () => {
    expect(refusal({ scopes }, chat, '::1')).toBeUndefined();
    expect(refusal({ scopes }, { ...chat, scope: 'images' }, '::1')).toBe('scope-not-allowed');
  });

  it('do not end a right that was given with a link', () => {
    expect(refusal({ scopes }, { isForReaders: true }, '::1')).toBeUndefined();
  });
});

it('lets a key that may only read do nothing else', () => {
  expect(refusal({ readOnly: true }, chat, '::1')).toBe('key-read-only');
  expect(refusal({ readOnly: true }, { ...chat, isForReaders: true }, '::1')).toBeUndefined();
});

it('checks the address first: a stolen key reveals nothing about itself', () => {
  const all = { allowedIps: ['::2'], scopes: ['models'], readOnly: true } as const;
  expect(refusal(all, chat, '::1')).toBe('address-not-allowed');
});
