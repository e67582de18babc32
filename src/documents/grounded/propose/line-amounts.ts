import type { Table } from './find-tables.ts';

const CENT = 0.011;
/** Rows of which this share must agree. */
const MOST = 0.75;
/** Columns and rows that are tried. */
const [MOST_COLUMNS, MOST_ROWS] = [12, 100];

type ReadNumber = (text: string) => number | undefined;

/**
 * The columns of a table that hold the amounts of its lines, whatever their titles say: each is the product of two others, or they
 * add up to a number that is printed in the document, in cents.
 */
export function lineAmountColumns(
  { rows }: Table,
  read: ReadNumber,
  printedCents: ReadonlySet<number>,
): ReadonlySet<number> {
  const numbers = rows
    .slice(0, MOST_ROWS)
    .map((row) =>
      row.slice(0, MOST_COLUMNS).map((cell) => (cell === undefined ? undefined : read(cell.text))),
    );
  const width = Math.max(0, ...numbers.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, column) => column);
  return new Set(
    columns.filter(
      (column) => isSummed(numbers, column, printedCents) || isProduct(numbers, column, columns),
    ),
  );
}

type Numbers = readonly (readonly (number | undefined)[])[];

function isSummed(rows: Numbers, column: number, printedCents: ReadonlySet<number>): boolean {
  const values = rows.flatMap((row) => row[column] ?? []);
  if (values.length < 2) return false;
  const sum = centsOf(values.reduce((total, value) => total + value, 0));
  // One of them alone is printed anyway.
  return sum !== 0 && printedCents.has(sum) && !values.some((value) => centsOf(value) === sum);
}

function isProduct(rows: Numbers, column: number, columns: readonly number[]): boolean {
  return columns.some((one) =>
    columns.some((other) => {
      if (one >= other || one === column || other === column) return false;
      const whole = rows.flatMap((row) => {
        const [a, b, c] = [row[one], row[other], row[column]];
        return a === undefined || b === undefined || c === undefined ? [] : [{ a, b, c }];
      });
      // A quantity of 1 says nothing.
      const telling = whole.filter(({ a, b }) => a !== 1 && b !== 1);
      const right = whole.filter(({ a, b, c }) => Math.abs(a * b - c) < CENT);
      return telling.length > 0 && right.length >= MOST * rows.length;
    }),
  );
}

/** An amount in whole cents, to be compared. */
export function centsOf(amount: number): number {
  return Math.round(100 * amount);
}
