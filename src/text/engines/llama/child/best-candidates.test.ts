import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestCandidates, type Scored } from './best-candidates.ts';

/** A fake model: the probability of a token depends on the token and its path only. */
function logProbability(path: readonly number[], token: number): number {
  const weight = (one: number) => 1 + ((path.reduce((sum, at) => sum * 31 + at, 7) * 17 + one * 13) % 97);
  const total = [0, 1, 2, 3, 4, 5].reduce((sum, one) => sum + weight(one), 0);
  return Math.log(weight(token) / total);
}

function ranking(sequences: readonly (readonly number[])[], k: number) {
  const asked: (readonly number[])[] = [];
  const found = bestCandidates<number>(sequences, k, async (path, wanted) => {
    asked.push(path);
    expect(wanted).toHaveLength(path.length + 1);
    return wanted.map(
      (tokens, index) => new Map(tokens.map((token) => [token, logProbability(path.slice(0, index), token)])),
    );
  });
  const collect = async () => {
    const ranked: Scored[] = [];
    for await (const batch of found) ranked.push(...batch);
    return ranked;
  };
  return { asked, collect };
}

const likelihood = (tokens: readonly number[]) =>
  tokens.reduce((sum, token, index) => sum + logProbability(tokens.slice(0, index), token), 0);

describe('the most likely candidates', () => {
  it('are the same as with an exhaustive search', async () => {
    const sequence = fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(sequence, { maxLength: 40 }),
        fc.integer({ min: 1, max: 10 }),
        async (sequences, k) => {
          const expected = sequences
            .map(likelihood)
            .sort((a, b) => b - a)
            .slice(0, k);
          const ranked = await ranking(sequences, k).collect();
          expect(ranked).toHaveLength(expected.length);
          expect(new Set(ranked.map(({ index }) => index)).size).toBe(ranked.length);
          for (const [place, { index, logProbability: found }] of ranked.entries()) {
            expect(found).toBeCloseTo(likelihood(sequences[index] ?? []), 9);
            expect(found).toBeCloseTo(expected[place] ?? 0, 9);
          }
        },
      ),
    );
  });

  it('are found without expanding unlikely prefixes', async () => {
    const sequences = [0, 1, 2, 3, 4, 5].flatMap((a) => [0, 1, 2, 3, 4, 5].map((b) => [a, b, 3, 3]));
    const asked: (readonly number[])[] = [];
    const found = bestCandidates<number>(sequences, 1, async (path, wanted) => {
      asked.push(path);
      return wanted.map(
        (tokens) => new Map(tokens.map((token) => [token, Math.log(token === 3 ? 0.9 : 0.02)])),
      );
    });
    for await (const batch of found) expect(batch.every(({ index }) => index === 21)).toBe(true);
    // The first token, the second, and the rest of the only sequence left: the second best is expanded only if it may win.
    expect(asked[2]).toEqual([3, 3, 3]);
    expect(asked.length).toBeLessThan(sequences.length / 2);
  });

  it('are none without candidates', async () => {
    expect(await ranking([], 3).collect()).toEqual([]);
  });
});
