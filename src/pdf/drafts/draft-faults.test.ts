import { describe, expect, it } from 'vitest';
import { draftFaults } from './draft-faults.ts';

const CLEAN = { form: [], facts: [], layout: [] };
const page = (body: string) =>
  `<!DOCTYPE html>\n<html lang="en"><head><title>T 99</title><style>p{margin:0}</style></head><body>${body}</body></html>`;
const table = (...rows: string[][]) =>
  page(
    `<table>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`,
  );
const factsOf = (instruction: string, html: string) => draftFaults(instruction, html).facts;
const layoutOf = (instruction: string, html: string) => draftFaults(instruction, html).layout;

describe('a document with everything that was said', () => {
  it.each([
    [
      'Receipt for Mr. Osei: he paid 1,240 dollars in cash on 6 July for repairing two bicycles.',
      page('<h1>Receipt</h1><p>Mr. Osei paid $1240 in cash<br>on <b>6</b> July. We repaired 2 bicycles.</p>'),
    ],
    [
      'Order form: 40 rolls, 12 baguettes and 3 rye loaves',
      table(['Item', 'Quantity'], ['Rolls', '40'], ['Baguettes', '12'], ['Rye loaves', '3']),
    ],
    [
      'Order form: 40 rolls, 12 baguettes and 3 rye loaves',
      page('<ol><li>40 rolls</li><li>12 baguettes</li><li>3 rye loaves</li></ol>'),
    ],
    ['Three steps: call Anna, call Ben', page('<p>1. Call Anna</p><p>2) Call Ben</p><p>3. Steps</p>')],
    ['A chair for 20 and a lamp for 20', table(['Chair', '20'], ['Lamp', '20'])],
    ['To Zoë’s shop', page('<p>Zoë&rsquo;s shop</p>')],
  ])('for %j has no fault', (instruction, html) => {
    expect(draftFaults(instruction, html)).toEqual(CLEAN);
  });
});

describe('what is left out', () => {
  it.each([
    ['Menu for Wednesday at Cafe Mimosa', '<p>Cafe Mimosa</p>', 'missing: Wednesday'],
    ['Invoice: 16 hours at 48.00', '<p>Hours at 48.00</p>', 'missing: 16'],
    [
      'Receipt for Mr. Osei: he paid 240 dollars in cash for repairing a bicycle.',
      '<p>Mr. Osei paid 240 dollars in cash.</p>',
      'missing: repairing bicycle',
    ],
  ])('of %j is found', (instruction, body, fault) => {
    expect(factsOf(instruction, page(body))).toEqual([fault]);
  });

  it('is not found in what is not printed', () => {
    expect(factsOf('Report 99', page('<p>Report</p>'))).toEqual(['missing: 99']);
  });

  it('may be a single word, which can be said in another way', () => {
    const said = 'Letter to Ms. Diallo about the lift: the lift is repaired on Monday';
    expect(factsOf(said, page('<p>Ms. Diallo, the lift will work again on Monday</p>'))).toEqual([]);
  });
});

it('finds numbers that were not said, once each', () => {
  expect(factsOf('A chair for 20', page('<p>Chair 20, tax 3.80, again 3.80, in 2025</p>'))).toEqual([
    'invented: 3.8',
    'invented: 2025',
  ]);
});

describe('a table', () => {
  const said = 'Order form: 40 rolls, 12 baguettes and 3 loaves';

  it('with rows of other lengths has a fault, unless cells span', () => {
    const rows = [
      ['Item', 'Count'],
      ['Rolls', '40', '-'],
      ['Baguettes', '12'],
      ['Loaves', '3'],
    ];
    expect(layoutOf(said, table(...rows))).toEqual(['rows of 2 and 3 cells']);
    const spanned = page(
      '<table><tr><th colspan="2">Order</th></tr><tr><td>Rolls</td><td>40</td></tr><tr><td>Baguettes</td><td>12</td></tr><tr><td>Loaves</td><td>3</td></tr></table>',
    );
    expect(layoutOf(said, spanned)).toEqual([]);
    const downwards = page(
      '<table><tr><td rowspan="3">Order</td><td>40 rolls</td></tr><tr><td>12 baguettes</td></tr><tr><td>3 loaves</td></tr></table>',
    );
    expect(layoutOf(said, downwards)).toEqual([]);
  });

  it('with what another row is about has false facts', () => {
    const rows = [
      ['Rolls', '40', '12 baguettes'],
      ['Baguettes', '12', '3 loaves'],
      ['Loaves', '3', '-'],
    ];
    expect(factsOf(said, table(...rows))).toEqual([
      'of another row: 12 baguettes',
      'of another row: 3 loaves',
      '2 times: 12',
      '2 times: 3',
    ]);
    const prices = [
      ['Rolls', '40', '12'],
      ['Baguettes', '12', ''],
      ['Loaves', '3', ''],
    ];
    expect(factsOf(said, table(...prices))).toEqual(['2 times: 12']);
    expect(factsOf(`${said}, again 12`, table(...prices))).toEqual([]);
  });

  it('with a number twice in a row says too much', () => {
    const rows = [
      ['40 rolls', '40'],
      ['Baguettes', '12'],
      ['Loaves', '3'],
    ];
    expect(draftFaults(said, table(...rows))).toEqual({ ...CLEAN, layout: ['2 times: 40'] });
  });

  it('within a table is read as a part of its cell', () => {
    const inner = '<table><tr><td>1</td><td>2</td><td>3</td></tr></table>';
    const outer = page(`<table><tr><td>A</td><td>${inner}</td></tr><tr><td>B</td><td>4</td></tr></table>`);
    expect(draftFaults('A table: 1, 2, 3, 4', outer)).toEqual(CLEAN);
  });
});

it('finds long lines that are printed twice', () => {
  const line = '<p>He paid 240 dollars for the repair.</p>';
  const sign = '<p>Signature:</p>';
  expect(layoutOf('Receipt: 240 dollars', page(line + sign + line + sign))).toEqual([
    'repeated: He paid 240 dollars for the repair.',
  ]);
});

describe('the form', () => {
  it.each([
    ['Dear Zoë', 'no whole document'],
    ['<!DOCTYPE html><p>Zoë', 'no whole document'],
    [page('<p>Zoë</p><p>```</p>'), 'code printed'],
    [page('<p>body { margin: auto; }</p><p>Zoë'), 'code printed'],
    [page('<p>Write a letter to Zoë.</p>'), 'the instruction printed'],
  ])('of %j has the fault %j', (html, fault) => {
    expect(draftFaults('Write a letter to Zoë', html)).toEqual({ ...CLEAN, form: [fault] });
  });

  it('of a document without text has a fault', () => {
    expect(draftFaults('A page', page('')).form).toEqual(['nothing printed']);
  });
});

it('is not looked at in what is very long', () => {
  expect(draftFaults('A letter to Zoë'.padEnd(8_193), page(''))).toEqual(CLEAN);
  expect(draftFaults('A letter to Zoë', page(' '.repeat(32_768)))).toEqual(CLEAN);
});
