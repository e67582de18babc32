import { describe, expect, it } from 'vitest';
import { lineAmountColumns } from './line-amounts.ts';

function columnsOf(rows: readonly (readonly string[])[], printed: readonly number[] = []) {
  const cells = rows.map((row) => row.map((text) => ({ text, start: 0, end: text.length })));
  const table = { header: undefined, rows: cells, heading: [] };
  const read = (text: string) => (Number.isNaN(Number(text)) ? undefined : Number(text));
  return Array.from(lineAmountColumns(table, read, new Set(printed)));
}

describe('the columns with the amounts of lines', () => {
  it('are quantity times price, in most rows', () => {
    expect(
      columnsOf([
        ['3', 'Lamp', '20', '60'],
        ['2', 'Chair', '45', '90'],
      ]),
    ).toEqual([3]);
    expect(
      columnsOf([
        ['1', 'Lamp', '20', '20'],
        ['1', 'Chair', '45', '45'],
      ]),
    ).toEqual([]);
  });

  it('add up to a number that is printed', () => {
    const rows = [
      ['A1', '20', '7'],
      ['B2', '45', '9'],
    ];
    expect(columnsOf(rows, [6_500])).toEqual([1]);
    expect(columnsOf(rows, [6_501])).toEqual([]);
  });

  it('are not found in a single row by its own number', () => {
    expect(columnsOf([['A1', '20']], [2_000])).toEqual([]);
  });
});
