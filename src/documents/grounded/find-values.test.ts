import { describe, expect, it } from 'vitest';
import { assemble } from './assemble.ts';
import { readEvidence } from './evidence.ts';
import { dataOf } from './filled-data.ts';
import { candidatesOf, fillLists, findingsOf } from './find-values.ts';
import { planSchema } from './plan-schema.ts';
import { readSource } from './source-text.ts';

const text = { type: 'string' };
const number = { type: 'number' };
const date = { type: 'string', format: 'date' };

/** What rules alone make of a text, with every property required. */
function extract(properties: Readonly<Record<string, unknown>>, lines: readonly string[]): unknown {
  const source = readSource(lines.join('\n'));
  const plan = planSchema({ type: 'object', properties, required: Object.keys(properties) });
  const fields = candidatesOf(plan, readEvidence(source));
  return dataOf(assemble(plan, findingsOf(fields, fillLists(plan, source))));
}

describe('values by their labels', () => {
  it('stand left, above, and in a sentence', () => {
    const schema = { order_number: text, first_name: text, last_name: text, monthly_rent: number };
    const lines = [
      'Order No: SO-1',
      'First name     Last name',
      'Ada            Byron',
      'The monthly rent is £950.00.',
    ];
    expect(extract(schema, lines)).toEqual({
      order_number: 'SO-1',
      first_name: 'Ada',
      last_name: 'Byron',
      monthly_rent: 950,
    });
  });

  it('go to the surest field first, and not twice', () => {
    const lines = ['Start date: 1 May 2024', 'End date: 2 June 2024'];
    expect(extract({ end_date: date, start_date: date }, lines)).toEqual({
      end_date: '2024-06-02',
      start_date: '2024-05-01',
    });
  });

  it('belong to the part of the document that a group names', () => {
    const person = { type: 'object', required: ['name', 'phone'], properties: { name: text, phone: text } };
    const lines = [
      'Landlord',
      'Name: Eve Hill',
      'Phone: 555-0101',
      '',
      'Tenant',
      'Name: Bob Lake',
      'Phone: 555-0102',
    ];
    expect(extract({ tenant: person, landlord: person }, lines)).toEqual({
      tenant: { name: 'Bob Lake', phone: '555-0102' },
      landlord: { name: 'Eve Hill', phone: '555-0101' },
    });
  });

  it('are null where nothing speaks for them and null is allowed', () => {
    const schema = {
      total: number,
      tip: { type: ['number', 'null'] },
      broker: { anyOf: [text, { type: 'null' }] },
    };
    expect(extract(schema, ['Total   12.50'])).toEqual({ total: 12.5, tip: null, broker: null });
  });

  it('are left out where they are optional', () => {
    const source = readSource('Total: 3.00');
    const plan = planSchema({
      type: 'object',
      properties: { total: number, broker: text },
      required: ['total'],
    });
    const findings = findingsOf(candidatesOf(plan, readEvidence(source)), new Map());
    expect(dataOf(assemble(plan, findings))).toEqual({ total: 3 });
  });
});

describe('a member of an enumeration', () => {
  it('wins where it stands alone in the text', () => {
    const schema = { status: { enum: ['approved', 'rejected', 'pending'] } };
    expect(extract(schema, ['We are glad that your claim was approved.'])).toEqual({ status: 'approved' });
  });

  it('is the ticked one of several', () => {
    const schema = { gender: { enum: ['male', 'female', 'other'] } };
    expect(extract(schema, ['Gender: [ ] male  [x] female  [ ] other'])).toEqual({ gender: 'female' });
  });

  it('is known by the sign of a currency', () => {
    expect(extract({ currency: { enum: ['EUR', 'GBP'] } }, ['Total £3'])).toEqual({ currency: 'GBP' });
  });
});

describe('a yes or no', () => {
  it.each([
    ['Führerschein: ja', true],
    ['Führerschein: nein', false],
    ['[x] Führerschein', true],
    ['☐ Führerschein', false],
  ])('%s is %s', (line, value) => {
    expect(extract({ fuehrerschein: { type: 'boolean' } }, [line])).toEqual({ fuehrerschein: value });
  });
});

describe('a list', () => {
  const item = {
    type: 'object',
    required: ['name', 'qty'],
    properties: { name: text, qty: { type: 'integer' } },
  };
  const rows = { items: { type: 'array', items: item } };
  const found = {
    items: [
      { name: 'Bolt M8', qty: 40 },
      { name: 'Nut', qty: 1200 },
    ],
  };

  it.each([
    ['of columns', ['Qty     Name', '40      Bolt M8', '1.200   Nut', 'Total   1240']],
    ['with bars', ['| Name | Qty |', '|------|-----|', '| Bolt M8 | 40 |', '| Nut | 1,200 |']],
    ['without a header', ['Bolt M8      40', 'Nut       1,200', '', 'Total     1,240']],
  ])('is read from a table %s', (_, lines) => {
    expect(extract(rows, lines)).toEqual(found);
  });

  it('keeps a row that has an empty cell where null is allowed', () => {
    const loose = { ...item, properties: { ...item.properties, qty: { type: ['integer', 'null'] } } };
    const lines = ['Name        Qty   Place', 'Bolt M8      40   A1', 'Nut               B2'];
    expect(extract({ items: { type: 'array', items: loose } }, lines)).toEqual({
      items: [
        { name: 'Bolt M8', qty: 40 },
        { name: 'Nut', qty: null },
      ],
    });
  });

  it.each([
    ['on the line of its label', ['Skills: Go, SQL, Rust']],
    ['under its label', ['SKILLS', '- Go', '- SQL', '- Rust', '', 'Other']],
  ])('of words stands %s', (_, lines) => {
    expect(extract({ skills: { type: 'array', items: text } }, lines)).toEqual({
      skills: ['Go', 'SQL', 'Rust'],
    });
  });

  it('is empty where the text has none', () => {
    expect(extract(rows, ['Nothing was ordered.'])).toEqual({ items: [] });
  });
});
