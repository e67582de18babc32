import { expect, it } from 'vitest';
import { missingFacts } from './missing-facts.ts';

const page = (body: string): string =>
  `<!DOCTYPE html><html lang="en"><head><title>Invoice 4711</title><style>p{margin:85px}</style></head><body>${body}</body></html>`;

it('finds the numbers, dates, addresses and names that a document leaves out', () => {
  const order =
    'Write a complaint to Northern Rail. The 7:42 train on 13 March 2026 was late. I want 38.50 pounds back, write to dora@mail.example. I am Dora Whitfield.';
  expect(missingFacts(order, page('<p>The train was late.</p>'))).toEqual([
    '7:42',
    '13',
    '2026',
    '38.50',
    'dora@mail.example',
    'Northern Rail',
    'Dora Whitfield',
  ]);
  const whole =
    '<p>To Northern Rail</p><p>The 7:42 train on 13 March 2026 was late.</p><p>I want 38.50 pounds back. DORA@mail.example</p>Dora <b>Whitfield</b>';
  expect(missingFacts(order, page(whole))).toEqual([]);
});

it('takes a number for the same however its digits are grouped', () => {
  const order = 'An invoice of 7,800.50 euros, number A-2231, due 31/12/2026';
  expect(missingFacts(order, page('7.800,50 € for A-2231, due 31.12.2026'))).toEqual([]);
  expect(missingFacts(order, page('7 800.50 for A-2231, due 31-12-2026'))).toEqual([]);
});

it('looks only at what is printed', () => {
  expect(missingFacts('An invoice with the number 4711 for 85 euros', page('<!-- 4711 -->'))).toEqual([
    '4711',
    '85',
  ]);
});

it('does not look for what is said of the form, for single digits, or for words that begin a sentence', () => {
  const order =
    'Short Report about bees in 300 words, 12 pt, 2 pages, on A4. Very Large headings please. 50-word summary.';
  expect(missingFacts(order, page('<p>Bees</p>'))).toEqual([]);
});

it('finds a number that is only a part of another one', () => {
  expect(missingFacts('Room for 40 people', page('Room for 140 people'))).toEqual(['40']);
});

it('is quick on long and unclosed texts', () => {
  const order = `${'1,'.repeat(20_000)}${'Aaa '.repeat(20_000)}`;
  for (const piece of ['<', '<!--', '<style>', '&', '1,', '<p>1 '])
    expect(missingFacts(order, piece.repeat(50_000)).length).toBe(1);
});
