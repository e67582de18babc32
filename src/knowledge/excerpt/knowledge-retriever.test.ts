import { beforeEach, expect, test, vi } from 'vitest';
import { foundChunk } from '../../../testing/knowledge/found-chunks.ts';
import { Fault } from '../../faults/fault.ts';
import { createLog } from '../../telemetry/log.ts';
import type { FoundChunk } from '../knowledge-search.ts';
import { KnowledgeRetriever } from './knowledge-retriever.ts';

const signal = new AbortController().signal;
const asked = { stackId: 'shop', question: 'Can I send shoes back?', fits: async () => true };
const three = ['one', 'two', 'three'].map((text, position) => foundChunk({ text, position }));
const onFailure = vi.fn();
beforeEach(() => onFailure.mockReset());

const retrieving = (found: readonly FoundChunk[] | Error) =>
  new KnowledgeRetriever({
    search: {
      search: async () => {
        if (found instanceof Error) throw found;
        return found;
      },
    },
    minRelevance: 0.5,
    log: createLog('silent', { write: () => undefined }),
    onFailure,
  });

test('quotes what is relevant enough', async () => {
  const found = [foundChunk({ text: 'good', relevance: 0.5 }), foundChunk({ text: 'bad', relevance: 0.49 })];
  const excerpt = await retrieving(found).excerpt(asked, signal);
  expect(excerpt?.text).toContain('> good');
  expect(excerpt?.text).not.toContain('bad');
  expect(excerpt?.passages).toMatchObject([{ documentId: 'doc-1' }]);
});

test('quotes nothing where nothing is', async () => {
  expect(await retrieving([]).excerpt(asked, signal)).toBeUndefined();
  expect(await retrieving([foundChunk({ relevance: 0.1 })]).excerpt(asked, signal)).toBeUndefined();
});

test.each([
  ['> three', ['> one', '> two', '> three']],
  ['> two', ['> one', '> two']],
  ['> one', ['> one']],
])('stays within its share: the best that fits ends with %s', async (_last, kept) => {
  const fits = async (text: string) =>
    text.split('\n').filter((line) => line.startsWith('>')).length <= kept.length;
  const excerpt = await retrieving(three).excerpt({ ...asked, fits }, signal);
  expect(excerpt?.text.split('\n').filter((line) => line.startsWith('>'))).toEqual(kept);
});

test('quotes nothing where not even the best fits', async () => {
  expect(await retrieving(three).excerpt({ ...asked, fits: async () => false }, signal)).toBeUndefined();
});

test('a search that fails costs the excerpt only, and is counted', async () => {
  expect(await retrieving(new Error('the index is gone')).excerpt(asked, signal)).toBeUndefined();
  expect(onFailure).toHaveBeenCalledOnce();
});

test('a count that may not be paid for refuses the request', async () => {
  const refusal = new Fault('budget-exceeded', 'Nothing is left.');
  const fits = () => Promise.reject(refusal);
  await expect(retrieving(three).excerpt({ ...asked, fits }, signal)).rejects.toBe(refusal);
  expect(onFailure).not.toHaveBeenCalled();
});

test('a client that left is not a failure', async () => {
  const left = AbortSignal.abort(new Error('left'));
  await expect(retrieving(new Error('aborted')).excerpt(asked, left)).rejects.toThrow('left');
  expect(onFailure).not.toHaveBeenCalled();
});
