import { describe, expect, it } from 'vitest';
import { extract } from '../../../../testing/documents/extract-by-rules.ts';

const text = { type: 'string' };
const number = { type: 'number' };
const date = { type: 'string', format: 'date' };
const dateOrNull = { type: ['string', 'null'], format: 'date' };
const rows = (properties: Readonly<Record<string, unknown>>) => ({
  type: 'array',
  items: { type: 'object', properties, required: Object.keys(properties) },
});

describe('lines that each say all of one item', () => {
  it('are read by what their parts look like', async () => {
    const lines = [
      'The following are still unpaid:',
      '',
      '- our bill no. 114/2022 of 28 February 2022, EUR 3,480.00;',
      '- our bill no. 187/2022 of 11 April 2022, EUR 1,265.50;',
    ];
    expect(await extract({ invoices: rows({ number: text, issued: date, amount: number }) }, lines)).toEqual({
      invoices: [
        { number: '114/2022', issued: '2022-02-28', amount: 3480 },
        { number: '187/2022', issued: '2022-04-11', amount: 1265.5 },
      ],
    });
  });

  it('name who does what until when', async () => {
    const lines = [
      'Action items',
      '[ ] @Ann L. write the manual - 28 Jun 2023',
      '[ ] @Bo Marsh ask the bank about',
      '    the old account',
    ];
    expect(await extract({ actions: rows({ owner: text, task: text, due: dateOrNull }) }, lines)).toEqual({
      actions: [
        { owner: 'Ann L.', task: 'write the manual', due: '2023-06-28' },
        { owner: 'Bo Marsh', task: 'ask the bank about the old account', due: null },
      ],
    });
  });

  it('may have a dash or a colon between two texts', async () => {
    const lines = ['Elected were:', 'Ann Lee - treasurer', 'Bo Marsh - clerk', '', 'The meeting ended.'];
    expect(await extract({ new_board: rows({ name: text, role: text }) }, lines)).toEqual({
      new_board: [
        { name: 'Ann Lee', role: 'treasurer' },
        { name: 'Bo Marsh', role: 'clerk' },
      ],
    });
    const trips = ['4) Trips', 'Oaks : Hill Farm, Thursday 21 June 2018', 'Elms : Mine Museum, 28 June 2018'];
    expect(await extract({ outings: rows({ group: text, to: text, on: date }) }, trips)).toEqual({
      outings: [
        { group: 'Oaks', to: 'Hill Farm', on: '2018-06-21' },
        { group: 'Elms', to: 'Mine Museum', on: '2018-06-28' },
      ],
    });
  });
});
