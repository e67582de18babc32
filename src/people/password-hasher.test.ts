import { expect, it } from 'vitest';
import { PasswordHasher, passwordCost } from './password-hasher.ts';

const cheap = { logN: 1, r: 1, p: 1 };
const address = '192.0.2.1';

it('knows a password again, in every form of the same letters, and no other', async () => {
  const hasher = new PasswordHasher(cheap);
  const stored = await hasher.hash('Zoë’s password', address);
  expect(await hasher.matches('Zoë’s password', stored, address)).toBe(true);
  expect(await hasher.matches('Zoe\u0308’s password', stored, address)).toBe(true);
  expect(await hasher.matches('Zoe’s password', stored, address)).toBe(false);
  expect(await hasher.matches('', stored, address)).toBe(false);
});

it('stores neither the password nor the same text twice, and with it the cost', async () => {
  const hasher = new PasswordHasher(cheap);
  const [one, other] = [await hasher.hash('the same', address), await hasher.hash('the same', address)];
  expect(one).not.toBe(other);
  expect(one).toMatch(/^scrypt:1:1:1:/);
  expect(one).not.toContain('same');
  expect(await new PasswordHasher({ logN: 2, r: 1, p: 1 }).matches('the same', one, address)).toBe(true);
});

it.each([undefined, '', 'scrypt:1:1:1', 'x'])(
  'matches nothing that is no stored password: %s',
  async (stored) => {
    expect(await new PasswordHasher(cheap).matches('anything', stored, address)).toBe(false);
  },
);

it('costs 32 MiB by default', async () => {
  const { logN, r } = passwordCost;
  expect(128 * 2 ** logN * r).toBe(32 * 2 ** 20);
  const stored = await new PasswordHasher().hash('the default', address);
  expect(await new PasswordHasher(cheap).matches('the default', stored, address)).toBe(true);
});

it('refuses to check many at once for one address, and then goes on', async () => {
  const hasher = new PasswordHasher(cheap);
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () => hasher.matches('x', undefined, address)),
  );
  const refused = results.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]).toMatchObject({ reason: { code: 'too-many-log-ins' } });
  expect(await hasher.matches('x', undefined, address)).toBe(false);
});
