import { expect, it } from 'vitest';
import { LeasedBytes } from '../lib/leased-bytes.ts';
import { BodyMemory } from './body-memory.ts';

it('is bounded in all, and to a quarter for one stack', () => {
  const memory = new BodyMemory(400);
  const held = ['a', 'b', 'c', 'd'].map((stackId) => memory.open(stackId));
  for (const one of held) expect(one.grow(100)).toBeUndefined();
  expect(memory.open('a').grow(1)).toMatchObject({ code: 'body-memory-full', status: 503 });
  expect(memory.open('e').grow(1)).toMatchObject({ code: 'body-memory-full' });
  held[0]?.shrink(40);
  expect(memory.open('e').grow(40)).toBeUndefined();
});

it('is released completely, once, also after a part was released', () => {
  const memory = new BodyMemory(400);
  const held = memory.open('a');
  held.grow(60);
  held.shrink(20);
  expect(held.grow(61)).toBeDefined();
  held[Symbol.dispose]();
  held[Symbol.dispose]();
  expect(held.grow(10)).toBeDefined();
  expect(memory.heldBytes).toBe(0);
  expect(memory.open('a').grow(100)).toBeUndefined();
});

it('frees leased bytes when it is released', () => {
  const held = new BodyMemory(400).open('a');
  const bytes = Buffer.allocUnsafeSlow(100);
  held.lease(new LeasedBytes(bytes));
  expect(bytes).toHaveLength(100);
  held[Symbol.dispose]();
  expect(bytes).toHaveLength(0);
});

it('is held for a value too, up to the limit of the stack', () => {
  const memory = new BodyMemory(400);
  const held = memory.open('a');
  held.grow(30);
  expect(held.growForValue(90)).toBeUndefined();
  expect(memory.heldBytes).toBe(100);
  expect(held.growForValue(90)).toBeUndefined();
  held.shrink(60);
  const other = memory.open('a');
  other.grow(30);
  expect(other.growForValue(90)).toMatchObject({ code: 'body-memory-full' });
});
