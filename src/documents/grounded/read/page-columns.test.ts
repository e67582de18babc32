import { describe, expect, it } from 'vitest';
import { readingOrder } from './page-columns.ts';

function linesOf(texts: readonly string[]) {
  let start = 0;
  return texts.map((text) => {
    const line = { text, start };
    start += text.length + 1;
    return line;
  });
}

const page = [
  'Ann Lee     | Work',
  '            | ',
  'Leeds       | Baker Ltd',
  '            | Clerk',
  'Languages   | 2010 to 2014',
  'French      | ',
  '            | Harbour Works',
  '            | Driver',
];

describe('a page that a bar divides', () => {
  it('is read one side after the other, with the offsets of its letters', () => {
    const lines = linesOf(['Curriculum vitae', ...page, 'Page 1']);
    const ordered = readingOrder(lines);
    expect(ordered.map(({ text }) => text.trim()).filter((text) => text !== '')).toEqual([
      'Curriculum vitae',
      ...['Ann Lee', 'Leeds', 'Languages', 'French'],
      ...['Work', 'Baker Ltd', 'Clerk', '2010 to 2014', 'Harbour Works', 'Driver'],
      'Page 1',
    ]);
    const whole = lines.map(({ text }) => text).join('\n');
    expect(ordered.every(({ text, start }) => whole.startsWith(text, start))).toBe(true);
  });

  it('is a table if both sides of its rows are filled, or they are few', () => {
    const table = linesOf(Array.from({ length: 10 }, (_, index) => `Item ${index}      | 12.00`));
    expect(readingOrder(table)).toEqual(table);
    const short = linesOf(page.slice(0, 7));
    expect(readingOrder(short)).toEqual(short);
  });
});
