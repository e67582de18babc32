import { expect, it } from 'vitest';
import { BoundedCache } from './bounded-cache.ts';

it('drops the least recently used entry above the number bound', () => {
  const cache = new BoundedCache<number>({ maxEntries: 2, maxBytes: 100 });
  cache.set('a', 1, 10);
  cache.set('b', 2, 10);
  expect(cache.get('a')).toBe(1);
  cache.set('c', 3, 10);
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([1, undefined, 3]);
});

it('drops as many entries as a new one needs above the size bound', () => {
  const cache = new BoundedCache<number>({ maxEntries: 10, maxBytes: 100 });
  for (const key of ['a', 'b', 'c', 'd']) cache.set(key, 0, 25);
  cache.set('e', 0, 60);
  expect(['a', 'b', 'c', 'd', 'e'].filter((key) => cache.get(key) !== undefined)).toEqual(['d', 'e']);
  expect([cache.entries, cache.sizeBytes]).toEqual([2, 85]);
});

it('ignores a value that alone exceeds the size bound', () => {
  const cache = new BoundedCache<number>({ maxEntries: 10, maxBytes: 100 });
  cache.set('a', 1, 50);
  cache.set('b', 2, 101);
  expect([cache.get('a'), cache.get('b'), cache.sizeBytes]).toEqual([1, undefined, 50]);
});

it('counts a value once that is set again', () => {
  const cache = new BoundedCache<number>({ maxEntries: 10, maxBytes: 100 });
  cache.set('a', 1, 50);
  cache.set('a', 2, 60);
  expect([cache.get('a'), cache.entries, cache.sizeBytes]).toEqual([2, 1, 60]);
});
