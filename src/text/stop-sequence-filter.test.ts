import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StopSequenceFilter } from './stop-sequence-filter.ts';

function filter(stop: readonly string[], pieces: readonly string[]) {
  const made = new StopSequenceFilter(stop);
  const shown = pieces.map((piece) => made.push(piece));
  return { shown: shown.join('') + made.flush(), found: made.found };
}

describe('the stop sequence filter', () => {
  it('holds back only the possible start of a stop sequence', () => {
    const made = new StopSequenceFilter(['END', '\n\n']);
    expect(['a', 'bE', 'N', 'x\n', 'y', 'E', 'ND z', 'q'].map((piece) => made.push(piece))).toEqual([
      'a',
      'b',
      '',
      'ENx',
      '\ny',
      '',
      '',
      '',
    ]);
    expect(made.found).toBe('END');
    expect(made.flush()).toBe('');
  });

  it('returns held text at the end', () => {
    expect(filter(['END'], ['EN'])).toEqual({ shown: 'EN', found: undefined });
    expect(filter([], ['any', 'thing'])).toEqual({ shown: 'anything', found: undefined });
  });

  it('ends the text at the sequence that is complete first, however the text is split', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 });
    const stops = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 }), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(stops, fc.array(letters, { maxLength: 6 }), (stop, pieces) => {
        const text = pieces.join('');
        const result = filter(stop, pieces);
        expect(result).toEqual(filter(stop, [text]));
        expect(result).toEqual(filter(stop, [...text]));
        const showsNone = !stop.some((sequence) => result.shown.includes(sequence));
        const isBeginning = text.startsWith(result.shown + (result.found ?? ''));
        const isExact = result.found !== undefined || result.shown === text;
        expect({ showsNone, isBeginning, isExact }).toEqual({
          showsNone: true,
          isBeginning: true,
          isExact: true,
        });
      }),
      { numRuns: 1_000 },
    );
  });
});
