import { describe, expect, it } from 'vitest';
import { extract } from '../../../../testing/documents/extract-by-rules.ts';

const text = { type: 'string' };
const maybe = { type: ['string', 'null'] };

describe('captions below values', () => {
  it('name them under ruled lines, and say which are empty', async () => {
    const lines = [
      'Lindgren-Okafor          Dana               R',
      '________________________ __________________ ____',
      'LAST NAME                FIRST NAME         M.I.',
      '',
      '_________________    (555) 555-0187    Red Mesa Schools',
      'HOME PHONE           CELL PHONE        EMPLOYER',
      '',
      'Erik Lindgren        husband',
      'NAME                 RELATIONSHIP',
    ];
    const fields = {
      last_name: text,
      first_name: text,
      home_phone: maybe,
      employer: text,
      relationship: text,
    };
    expect(await extract(fields, lines)).toEqual({
      last_name: 'Lindgren-Okafor',
      first_name: 'Dana',
      home_phone: null,
      employer: 'Red Mesa Schools',
      relationship: 'husband',
    });
  });

  it('may stand below a row of boxes', async () => {
    const lines = [
      '+---------------+---------+----------+',
      '|  Left stand   |   7     |   118    |',
      '+---------------+---------+----------+',
      '   Block           Row       Seat',
    ];
    expect(await extract({ block: text, row: text, seat: text }, lines)).toEqual({
      block: 'Left stand',
      row: '7',
      seat: '118',
    });
  });

  it('may stand in brackets', async () => {
    const lines = [
      'DELA CRUZ          RAMON           CEBU',
      '(Surname)          (Given names)   (Birth place)',
    ];
    expect(await extract({ surname: text, birth_place: text }, lines)).toEqual({
      surname: 'DELA CRUZ',
      birth_place: 'CEBU',
    });
  });
});

describe('a sentence', () => {
  const date = { type: 'string', format: 'date' };

  it('goes on in the next line, where its words name a value too', async () => {
    const lines = [
      'We confirm the end of the delivery of power for the meter',
      '1EMH0071445209 to 28 February 2019.',
    ];
    expect(await extract({ meter_number: text }, lines)).toEqual({ meter_number: '1EMH0071445209' });
  });

  it('says behind a date what was done then', async () => {
    const lines = ['Ihre Mail vom 29.01.2019 ist am 31.01.2019 bei uns eingegangen.'];
    expect(await extract({ received_on: date }, lines)).toEqual({ received_on: '2019-01-31' });
  });
});

it('takes a date that stands by itself above a letter for its date', async () => {
  const lines = [
    'Harbour Clinic',
    '                8 July 2024',
    '',
    'Dear Ann,',
    '',
    'please come to our clinic on Thursday 15 August 2024 at ten.',
  ];
  const date = { type: 'string', format: 'date' };
  expect(await extract({ letter_date: date }, lines)).toEqual({ letter_date: '2024-07-08' });
});

it('reads a word for nothing as no value', async () => {
  expect(await extract({ insurer: maybe }, ['Insurer: none', 'Form 7'])).toEqual({ insurer: null });
});
