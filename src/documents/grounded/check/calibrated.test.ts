import { describe, expect, it } from 'vitest';
import { probabilityOfCell, probabilityOfValue } from './calibrated.ts';

const value = { value: 'A', text: 'A', start: 0, end: 1, label: 0.5, score: 3 };

describe('the probability of a value', () => {
  it('rises with its lead over the next, by rules alone and with the network', () => {
    const byRules = [0, 1, 3].map((lead) => probabilityOfValue({ ...value, lead }));
    expect(byRules).toEqual([expect.closeTo(0.38), expect.closeTo(0.81), expect.closeTo(0.995)]);
    const byBoth = [0, 1, 3].map((lead) => probabilityOfValue({ ...value, lead, probability: 0.5 }));
    expect(byBoth).toEqual([expect.closeTo(0.68), expect.closeTo(0.751), expect.closeTo(0.859)]);
  });

  it('is higher for a cell of a table whose columns are named', () => {
    expect(probabilityOfCell(0.5, { isNamed: true })).toBeCloseTo(0.557);
    expect(probabilityOfCell(0.5, { isNamed: false })).toBeCloseTo(0.102);
    expect(probabilityOfCell(undefined, { isNamed: true })).toBe(0.91);
  });
});
