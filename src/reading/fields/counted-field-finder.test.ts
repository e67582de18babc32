import { describe, expect, it } from 'vitest';
import { CountedFieldFinder } from './counted-field-finder.ts';

const nothing = { fields: [], lists: [] };
const lifecycle = { state: 'ready', ready: async () => {} } as const;

describe('a counted field finder', () => {
  it('tells which pages were read, were stopped and failed', async () => {
    const outcomes: string[] = [];
    const left = new AbortController();
    const answers = [
      async () => nothing,
      async () => {
        left.abort();
        throw new Error('the client left');
      },
      async () => {
        throw new Error('the process ended');
      },
    ];
    const finder = new CountedFieldFinder(
      { lifecycle, find: async () => (await answers.shift()?.()) ?? nothing },
      (outcome) => outcomes.push(outcome),
    );
    const find = (signal: AbortSignal) => finder.find([], nothing, { stackId: 'a', signal });
    expect(await find(left.signal)).toBe(nothing);
    await expect(find(left.signal)).rejects.toThrow('the client left');
    await expect(find(new AbortController().signal)).rejects.toThrow('the process ended');
    expect(outcomes).toEqual(['read', 'stopped', 'failed']);
  });
});
