import { expect, it } from 'vitest';
import { extract } from '../../../../testing/documents/extract-by-rules.ts';

const text = { type: 'string' };
const maybe = { type: ['string', 'null'] };
const date = { type: 'string', format: 'date' };

it('takes the title behind the number of a ticket as its subject', async () => {
  const heads = [
    '#48213   Door of room seven does not lock',
    'Report HD-20931: Door of room seven does not lock',
  ];
  for (const head of heads)
    expect(await extract({ subject: text }, ['Service desk', head, '', 'Status   open'])).toEqual({
      subject: 'Door of room seven does not lock',
    });
});

it('takes the line below a signature as the role of who signed', async () => {
  const lines = [
    'Dear Ms Boyd,',
    '',
    'We agree to all you ask for in your letter.',
    '',
    'Yours sincerely',
    '',
    'Ann Lee',
    'Managing Director',
  ];
  expect(await extract({ signatory: text, signatory_role: maybe }, lines)).toEqual({
    signatory: 'Ann Lee',
    signatory_role: 'Managing Director',
  });
});

it('reads dates with spaces around their strokes, and numbers before the unit of a field', async () => {
  const schema = { birth_date: date, usage_kwh: { type: ['integer', 'null'] } };
  const lines = [
    'Date of birth: 30 / 08 / 2013',
    'Last year you needed 2,936 kWh of power for the whole house.',
  ];
  expect(await extract(schema, lines)).toEqual({ birth_date: '2013-08-30', usage_kwh: 2936 });
});

it('keeps a number of telephone whole, and the name of a place with its floor', async () => {
  const schema = { phone: text, venue: text };
  const lines = ['Venue: Eye Clinic, Level 2', '', 'Please ring 01632 960 377 as soon as you can.'];
  expect(await extract(schema, lines)).toEqual({ phone: '01632 960 377', venue: 'Eye Clinic, Level 2' });
});

it('reads numbered items and sentences with bullets whole', async () => {
  const pairs = {
    type: 'array',
    items: { type: 'object', properties: { number: text, decision: text }, required: ['number', 'decision'] },
  };
  const list = { type: 'array', items: text };
  const lines = [
    'Decisions',
    '1. The fee, once 20 euros, is 25 euros.',
    '2. The hall is booked.',
    '',
    'Please bring:',
    '- a pen, if you can',
    '- paper',
  ];
  expect(await extract({ decisions: pairs, things_to_bring: list }, lines)).toEqual({
    decisions: [
      { number: '1', decision: 'The fee, once 20 euros, is 25 euros.' },
      { number: '2', decision: 'The hall is booked.' },
    ],
    things_to_bring: ['a pen, if you can', 'paper'],
  });
});

it('leaves the numbers of rows without titles out', async () => {
  const rows = {
    type: 'array',
    items: { type: 'object', properties: { name: text, phone: text }, required: ['name', 'phone'] },
  };
  const lines = ['Contacts', '1. Ann Lee      07700 900233', '2. Bo Marsh     01632 960412'];
  expect(await extract({ contacts: rows }, lines)).toEqual({
    contacts: [
      { name: 'Ann Lee', phone: '07700 900233' },
      { name: 'Bo Marsh', phone: '01632 960412' },
    ],
  });
});
