import { expect, it } from 'vitest';
import { ConnectionPlaces } from './connection-places.ts';

it('gives each address its number of places, and no more in all than there are', () => {
  const places = new ConnectionPlaces({ inAll: 5, perAddress: 2, trustProxy: false });
  const first = places.take('10.0.0.1');
  expect(places.take('10.0.0.1')).toBeDefined();
  expect(places.take('::ffff:10.0.0.1')).toBeUndefined();
  expect(places.take('10.0.0.2')).toBeDefined();
  expect(places.take('10.0.0.3')).toBeDefined();
  first?.();
  expect(places.take('10.0.0.1')).toBeDefined();
  expect(places.take('10.0.0.4')).toBeDefined();
  expect(places.take('10.0.0.5')).toBeUndefined();
});

it('counts the addresses that one customer may choose from as one', () => {
  const places = new ConnectionPlaces({ inAll: 5, perAddress: 1, trustProxy: false });
  expect(places.take('2001:db8::1')).toBeDefined();
  expect(places.take('2001:db8::2')).toBeUndefined();
  expect(places.take('2001:db8:0:1::2')).toBeDefined();
});

it.each([
  ['10.1.2.3', ['10.0.0.0/8']],
  ['::ffff:10.1.2.3', ['10.0.0.0/8']],
  ['fd00::5', ['fd00::/8', '127.0.0.1']],
  ['192.168.0.9', true],
])('does not count by address what comes through a trusted proxy: %s', (address, trustProxy) => {
  const places = new ConnectionPlaces({ inAll: 3, perAddress: 1, trustProxy });
  for (const _ of [1, 2, 3]) expect(places.take(address)).toBeDefined();
  expect(places.take(address)).toBeUndefined();
});
