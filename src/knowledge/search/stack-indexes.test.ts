import { expect, it } from 'vitest';
import { StackIndexes } from './stack-indexes.ts';

const version = (id: string) => ({ id, documentId: id, documentName: id });
const page = { isFirst: true, isLast: true };

function load(indexes: StackIndexes, stackId: string): void {
  indexes.open(stackId, [version(stackId)]);
  const chunks = [{ position: 0, text: 'x'.repeat(10_000), headings: [], vectors: new Uint8Array() }];
  indexes.loading(stackId)?.add(version(stackId), chunks, page);
  indexes.loading(stackId)?.publish('1', [version(stackId)]);
  indexes.dropOldest();
}

it('drops the stacks that were not asked for the longest once the bound is passed', () => {
  const indexes = new StackIndexes(25_000);
  load(indexes, 'a');
  load(indexes, 'b');
  expect(indexes.at('a', '1')).toBeDefined();
  load(indexes, 'c');
  expect(indexes.at('b', '1')).toBeUndefined();
  expect(indexes.at('a', '1')).toBeDefined();
  expect(indexes.sizeBytes).toBeLessThanOrEqual(25_000);
});

it('keeps the stack in use even where it alone is over the bound', () => {
  const indexes = new StackIndexes(100);
  load(indexes, 'a');
  load(indexes, 'b');
  expect(indexes.stacks).toBe(1);
  expect(indexes.at('b', '1')).toBeDefined();
});

it('knows a stack only as of the generation that was published', () => {
  const indexes = new StackIndexes(1e6);
  load(indexes, 'a');
  expect(indexes.at('a', '2')).toBeUndefined();
  expect(indexes.open('a', [version('a'), version('new')])).toEqual(['new']);
});

it('opens a stack as it was saved, and drops others for it', () => {
  const kept = new StackIndexes(1e6);
  load(kept, 'a');
  const indexes = new StackIndexes(25_000, (stackId) => (stackId === 'a' ? kept.peek('a') : undefined));
  load(indexes, 'b');
  load(indexes, 'c');
  expect(indexes.open('a', [version('a'), version('new')])).toEqual(['new']);
  expect(indexes.at('b', '1')).toBeUndefined();
  expect(indexes.sizeBytes).toBeLessThanOrEqual(25_000);
});
