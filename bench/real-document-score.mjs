// Values against the right ones. Exact: without case, spaces and signs, days by day, numbers by value; near: also with at most 15 % of the letters wrong, or where the right text is part of a longer one.
import { findDates } from '../dist/documents/values/find-dates.js';
import { parseNumber } from '../dist/documents/values/parse-number.js';

const NEAR = 0.15;
const [LEAST_PART, LEAST_START] = [3, 4];
const LEAST_AMOUNT = 0.005;

/** Judges the answer for a document: [{part: 'fields' | 'lists', field, value, right, isRight, isNear}]. */
export function judgeDocument({ expected, list }, data) {
  const fields = Object.entries(expected).map(([field, right]) => {
    const value = valueAt(data, field);
    const isRight = same(value, right);
    return { part: 'fields', field, value, right, isRight, isNear: isRight || near(value, right) };
  });
  return [...fields, ...(list === undefined ? [] : judgeRows(list, data?.[list.name]))];
}

/** Judges the answer for fields that a document does not have. */
export function judgeAbsent({ absent }, data) {
  return absent.map((field) => {
    const value = valueAt(data, field);
    const isRight = data !== undefined && (value === null || value === undefined);
    return { part: 'absent', field, value, right: null, isRight, isNear: isRight };
  });
}

/** Rows are found by their names, in any order; rows too many are not counted. */
function judgeRows({ name, rows, columns }, found) {
  const given = Array.isArray(found) ? found : [];
  return rows.flatMap((right) => {
    const row = given.find((one) => isNamed(one?.name, right.name));
    return Object.keys(columns).map((column) => {
      const isRight = column === 'name' ? row !== undefined : same(row?.[column], right[column]);
      return {
        part: 'lists',
        field: `${name}.${column}`,
        value: row?.[column],
        right: right[column],
        isRight,
        isNear: isRight,
      };
    });
  });
}

function isNamed(value, right) {
  const [mine, wanted] = [plain(value), plain(right)];
  if (mine === '') return false;
  return (
    near(value, right) || mine.startsWith(wanted) || (wanted.startsWith(mine) && mine.length > LEAST_START)
  );
}

function valueAt(data, field) {
  return field.split('.').reduce((at, name) => at?.[name], data);
}

function same(value, right) {
  if (Array.isArray(right)) return right.some((one) => same(value, one));
  if (value === null || value === undefined) return false;
  if (typeof value === 'number') {
    const wanted = typeof right === 'number' ? right : parseNumber(String(right).replace(/^[^\d-]+/, ''));
    return wanted !== undefined && Math.abs(value - wanted) < LEAST_AMOUNT;
  }
  return plain(value) === plain(right);
}

function near(value, right) {
  if (Array.isArray(right)) return right.some((one) => near(value, one));
  if (typeof value !== 'string' || typeof right !== 'string') return false;
  const [mine, wanted] = [plain(value), plain(right)];
  if (wanted === '') return false;
  if (distance(mine, wanted) <= Math.floor(NEAR * wanted.length)) return true;
  if (wanted.length > LEAST_PART && mine.includes(wanted)) return true;
  const day = dayOf(right);
  return day !== undefined && day === dayOf(value);
}

function dayOf(text) {
  return findDates(text, 'day-first')[0]?.value;
}

function plain(value) {
  return String(value ?? '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/[^a-z0-9]/g, '');
}

function distance(one, other) {
  let before = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...one].entries()) {
    const now = [row + 1];
    for (const [column, wanted] of [...other].entries())
      now.push(
        Math.min(now[column] + 1, before[column + 1] + 1, before[column] + (letter === wanted ? 0 : 1)),
      );
    before = now;
  }
  return before.at(-1);
}
