import { expect, it } from 'vitest';
import { ConnectionSlots } from './connection-slots.ts';

it('bounds the slots of each address and of all together', () => {
  const slots = new ConnectionSlots({ inAll: 5, perAddress: 2, trustProxy: false });
  const first = slots.take('10.0.0.1');
  expect(slots.take('10.0.0.1')).toBeDefined();
  expect(slots.take('::ffff:10.0.0.1')).toBeUndefined();
  expect(slots.take('10.0.0.2')).toBeDefined();
  expect(slots.take('10.0.0.3')).toBeDefined();
  first?.();
  expect(slots.take('10.0.0.1')).toBeDefined();
  expect(slots.take('10.0.0.4')).toBeDefined();
  expect(slots.take('10.0.0.5')).toBeUndefined();
});

it('counts an IPv6 /64 as one address', () => {
  const slots = new ConnectionSlots({ inAll: 5, perAddress: 1, trustProxy: false });
  expect(slots.take('2001:db8::1')).toBeDefined();
  expect(slots.take('2001:db8::2')).toBeUndefined();
  expect(slots.take('2001:db8:0:1::2')).toBeDefined();
});

it.each([
  ['10.1.2.3', ['10.0.0.0/8']],
  ['::ffff:10.1.2.3', ['10.0.0.0/8']],
  ['fd00::5', ['fd00::/8', '127.0.0.1']],
  ['192.168.0.9', true],
])('does not bound the connections of a trusted proxy by address: %s', (address, trustProxy) => {
  const slots = new ConnectionSlots({ inAll: 3, perAddress: 1, trustProxy });
  for (const _ of [1, 2, 3]) expect(slots.take(address)).toBeDefined();
  expect(slots.take(address)).toBeUndefined();
});
