import { expect, it } from 'vitest';
import { instructionFacts } from './instruction-facts.ts';

it.each([
  ['Write a letter to Mrs. Adebayo about her order.', ['Adebayo']],
  ['Lunch menu for Wednesday at Cafe Mimosa', ['Wednesday', 'Cafe', 'Mimosa']],
  ['Notice. Closed on Monday: ask Renate', ['Monday', 'Renate']],
  ["A quote for Ms. Park's fence, order FK-2207", ['Park', 'FK-2207']],
  ['Please ask if I’m late, in English, as a PDF on A4.', []],
  ['agenda: welcome by Dr. Banerjee', ['Banerjee']],
])('finds in %j the names %j', (instruction, names) => {
  expect(instructionFacts(instruction).names).toEqual(names);
});

it('finds the numbers, but for those that say how the document shall look', () => {
  const said = 'A 2-page report on A4 in 3 columns, at most 200 words: 40 pupils, 230 euros, again 40.';
  expect(instructionFacts(said).numbers).toEqual(['40', '230']);
});

it('finds words with a meaning by clause, without the first, which tell the kind of the document', () => {
  const { clauses } = instructionFacts(
    'Notice for the changing rooms: the showers on the left stay cold until Friday, because a valve must be replaced (sorry). Ask the caretaker.',
  );
  expect(clauses.filter(({ length }) => length > 0)).toEqual([
    ['stay', 'cold'],
    ['valve', 'replaced'],
    ['caretaker'],
  ]);
});
