import { expect, it } from 'vitest';
import { filesOf } from '../../../../testing/documents/extract-by-rules.ts';
import { findTables } from './find-tables.ts';

function rowsOf(...lines: readonly string[]) {
  const tables = filesOf(lines).flatMap(({ source }) => findTables(source));
  return tables.map(({ header, rows }) => ({
    header,
    rows: rows.map((row) => row.map((cell) => cell?.text)),
  }));
}

it('begins a table at the titles of its columns, below labels that stand in columns too', () => {
  const tables = rowsOf(
    'Report for   Lund, Eva     born 1990     female',
    '',
    'Analysis     Result        Unit          Limits',
    'Blood',
    '  Sodium     140           mmol/l        135 - 145',
    'Metabolism',
    '  Urea       5.1           mmol/l        2.5 - 7.5',
  );
  expect(tables).toContainEqual({
    header: ['Analysis', 'Result', 'Unit', 'Limits'],
    rows: [
      ['Sodium', '140', 'mmol/l', '135 - 145'],
      ['Urea', '5.1', 'mmol/l', '2.5 - 7.5'],
    ],
  });
});

it('leaves sums out, but not a full row that only begins with their word', () => {
  const [table] = rowsOf(
    'Test              Value   Unit     Limits',
    '------------------------------------------',
    'Total protein     71      g/L      60 - 80',
    'Albumin           44      g/L      35 - 50',
    'Total             115',
  );
  expect(table?.rows.map(([name]) => name)).toEqual(['Total protein', 'Albumin']);
});

it('gives a first column without a title one of its own', () => {
  const [table] = rowsOf(
    'Votes',
    '                          for     against',
    'paint the south front     27      4',
    'chargers in the garage    12      19',
  );
  expect(table).toEqual({
    header: ['', 'for', 'against'],
    rows: [
      ['paint the south front', '27', '4'],
      ['chargers in the garage', '12', '19'],
    ],
  });
});
