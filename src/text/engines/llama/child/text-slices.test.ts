import { expect, it } from 'vitest';
import { textSlices } from './text-slices.ts';

const KIB = 1024;

it('keeps a short text whole', () => {
  expect([...textSlices('')]).toEqual([]);
  expect([...textSlices('one two')]).toEqual(['one two']);
});

it('cuts a long text only before a space that follows a letter or digit', () => {
  const text = 'A fox,  two owls -- and 3 \n geese; '.repeat(10_000);
  const slices = [...textSlices(text)];
  expect(slices.join('')).toBe(text);
  expect(slices.length).toBeGreaterThan(5);
  for (const slice of slices.slice(0, -1)) expect(slice).toMatch(/[\p{L}\p{N}]$/u);
  for (const slice of slices.slice(1)) expect(slice).toMatch(/^ /);
  expect(Math.max(...slices.map(({ length }) => length))).toBeLessThan(33 * KIB);
});

it.each(['a'.repeat(2_000 * KIB), ', '.repeat(1_000 * KIB), `x${'🙂'.repeat(1_000 * KIB)}`])(
  'bounds the slices of a text without such a space, and keeps characters whole',
  (text) => {
    const slices = [...textSlices(text)];
    expect(slices.join('')).toBe(text);
    expect(Math.max(...slices.map(({ length }) => length))).toBeLessThanOrEqual(512 * KIB + 1);
    expect(slices.every((slice) => Buffer.from(slice).toString() === slice)).toBe(true);
  },
);
