import { describe, expect, it } from 'vitest';
import { extract, extractFrom, filesOf } from '../../../../testing/documents/extract-by-rules.ts';
import { noHints } from '../../file-hints.ts';
import { decide } from '../decide/decide.ts';
import { assemble, dataOf } from '../fill/assemble.ts';
import { planSchema } from '../plan/plan-schema.ts';
import { readEvidence } from '../read/evidence.ts';
import type { Position } from '../read/positions.ts';
import { candidatesOf } from './find-values.ts';
import { propose } from './propose.ts';

const never = new AbortController().signal;
const text = { type: 'string' };
const number = { type: 'number' };
const date = { type: 'string', format: 'date' };

describe('values by their labels', () => {
  it('are found right of a label, below it, and in a sentence', async () => {
    const schema = { order_number: text, first_name: text, last_name: text, monthly_rent: number };
    const lines = [
      'Order No: SO-1',
      'First name     Last name',
      'Ada            Byron',
      'The monthly rent is £950.00.',
    ];
    expect(await extract(schema, lines)).toEqual({
      order_number: 'SO-1',
      first_name: 'Ada',
      last_name: 'Byron',
      monthly_rent: 950,
    });
  });

  it('may follow a currency after the label', async () => {
    const schema = { total: { type: ['number', 'null'] } };
    for (const line of ['Total: EUR 372.60', 'Total due     EUR 372.60', 'The total is EUR 372.60.'])
      expect(await extract(schema, ['Lamp House Ltd', '', 'Date: 17.04.2024', line])).toEqual({
        total: 372.6,
      });
  });

  it('are assigned to the most certain field first, and only once', async () => {
    const lines = ['Start date: 1 May 2024', 'End date: 2 June 2024'];
    expect(await extract({ end_date: date, start_date: date }, lines)).toEqual({
      end_date: '2024-06-02',
      start_date: '2024-05-01',
    });
  });

  it('come from the section that the group names', async () => {
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
    expect(await extract({ tenant: person, landlord: person }, lines)).toEqual({
      tenant: { name: 'Bob Lake', phone: '555-0102' },
      landlord: { name: 'Eve Hill', phone: '555-0101' },
    });
  });

  it('are null if no label supports them and null is allowed', async () => {
    const schema = {
      total: number,
      tip: { type: ['number', 'null'] },
      broker: { anyOf: [text, { type: 'null' }] },
    };
    expect(await extract(schema, ['Total   12.50'])).toEqual({ total: 12.5, tip: null, broker: null });
  });

  it('are omitted if optional', async () => {
    const files = filesOf(['Total: 3.00']);
    const read = { files, hints: noHints, evidence: readEvidence(files) };
    const plan = planSchema({
      type: 'object',
      properties: { total: number, broker: text },
      required: ['total'],
    });
    const proposals = await propose(plan, read, { network: undefined, signal: never });
    expect(dataOf(assemble(plan, await decide(proposals, read)))).toEqual({ total: 3 });
  });
});

describe('the work for one field', () => {
  it('looks at the words of a bounded number of positions, and finds the best labelled', async () => {
    const lines = Array.from({ length: 1_000 }, (_, row) => `Customer note ${row}`);
    const files = filesOf([...lines, 'Customer name: Ada Byron', ...lines], ['Customer'], lines);
    let looks = 0;
    const evidence = readEvidence(files).map((found) => ({
      ...found,
      spansAt: (position: Position) => {
        looks += 1;
        return found.spansAt(position);
      },
    }));
    const plan = planSchema({ type: 'object', properties: { customer_name: text } });
    const [entry] = await candidatesOf(plan, { evidence, hints: noHints }, never);
    expect(entry?.candidates[0]?.value).toBe('Ada Byron');
    expect(looks).toBeLessThanOrEqual(402);
  });
});

describe('a member of an enumeration', () => {
  it('wins if it stands alone in the text', async () => {
    const schema = { status: { enum: ['approved', 'rejected', 'pending'] } };
    expect(await extract(schema, ['We are glad that your claim was approved.'])).toEqual({
      status: 'approved',
    });
  });

  it('is the ticked one of several', async () => {
    const schema = { gender: { enum: ['male', 'female', 'other'] } };
    expect(await extract(schema, ['Gender: [ ] male  [x] female  [ ] other'])).toEqual({ gender: 'female' });
  });

  it('is recognised by a currency sign', async () => {
    expect(await extract({ currency: { enum: ['EUR', 'GBP'] } }, ['Total £3'])).toEqual({ currency: 'GBP' });
  });
});

describe('a yes or no', () => {
  it.each([
    ['Führerschein: ja', true],
    ['Führerschein: nein', false],
    ['[x] Führerschein', true],
    ['☐ Führerschein', false],
  ])('%s is %s', async (line, value) => {
    expect(await extract({ fuehrerschein: { type: 'boolean' } }, [line])).toEqual({ fuehrerschein: value });
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
  ])('is read from a table %s', async (_, lines) => {
    expect(await extract(rows, lines)).toEqual(found);
  });

  it('keeps a row with an empty cell if null is allowed', async () => {
    const loose = { ...item, properties: { ...item.properties, qty: { type: ['integer', 'null'] } } };
    const lines = ['Name        Qty   Place', 'Bolt M8      40   A1', 'Nut               B2'];
    expect(await extract({ items: { type: 'array', items: loose } }, lines)).toEqual({
      items: [
        { name: 'Bolt M8', qty: 40 },
        { name: 'Nut', qty: null },
      ],
    });
  });

  it.each([
    ['details of a row', ['Name        Qty', 'Bolt M8      40', '  galvanised', 'Nut       1,200']],
    ['a heading', ['Name        Qty', 'Bolt M8      40', 'Small parts', 'Nut       1,200']],
    ['a new page', ['Name     Qty', 'Bolt M8   40', '', '', 'Page 2', '', 'Name     Qty', 'Nut     1,200']],
  ])('goes on below %s', async (_, lines) => {
    expect(await extract(rows, lines)).toEqual(found);
  });

  it('has the amounts of its lines in the column that is quantity times price', async () => {
    const priced = { type: 'object', required: ['total'], properties: { total: number } };
    const lines = ['3   Lamp     20.00   60.00   19.00', '2   Chair    45.50   91.00   19.00'];
    expect(await extract({ items: { type: 'array', items: priced } }, lines)).toEqual({
      items: [{ total: 60 }, { total: 91 }],
    });
  });

  it.each([
    ['on the line of its label', ['Skills: Go, SQL, Rust']],
    ['under its label', ['SKILLS', '- Go', '- SQL', '- Rust', '', 'Other']],
  ])('of words stands %s', async (_, lines) => {
    expect(await extract({ skills: { type: 'array', items: text } }, lines)).toEqual({
      skills: ['Go', 'SQL', 'Rust'],
    });
  });

  it.each([
    ['in blocks of lines', ['Name: Bolt M8', 'Qty: 40', 'Made of steel.', '', 'Name: Nut', 'Qty: 1,200']],
    ['on one line each', ['Order: 7', 'Name: Bolt M8, Qty: 40', 'Name: Nut; Qty: 1.200']],
    ['under a heading that names it', ['ITEMS', 'Bolt M8, 40', 'Nut, 1200', '', 'Paid, thank you']],
  ])('of objects is read from repeated labels or lines: %s', async (_, lines) => {
    expect(await extract(rows, lines)).toEqual(found);
  });

  it('of objects is not read from labels that appear once', async () => {
    expect(await extract(rows, ['Name: Bolt M8', 'Qty: 40'])).toEqual({ items: [] });
    expect(await extract(rows, ['Dear Sir, 40', 'Yours, 20'])).toEqual({ items: [] });
  });

  it('is empty if the text has none', async () => {
    expect(await extract(rows, ['Nothing was ordered.'])).toEqual({ items: [] });
  });
});

describe('of several files', () => {
  const total = { total: number };
  const one = ['Invoice', 'Total: 100.00'];
  const two = ['Invoice', 'Total: 200.00'];

  it.each([
    ['The total is in file 2, b.pdf', 200],
    ['take it from the second file', 200],
    ['b.pdf', 200],
    ['Der Gesamtbetrag steht in der ersten Datei', 100],
    ['The total is not in file 1 but in file 2', 200],
  ])('the one named by the user is read: %s', async (user, value) => {
    expect(await extractFrom(total, [one, two], user)).toEqual({ total: value });
    expect(await extractFrom(total, [two, one], user)).toEqual({ total: 300 - value });
  });

  it('the one named for a field is read even if its label matches less', async () => {
    const user = 'The total is in file 2';
    expect(await extractFrom(total, [one, ['You pay 35.00 today']], user)).toEqual({ total: 35 });
    const nullable = { total: { type: ['number', 'null'] } };
    expect(await extractFrom(nullable, [one, ['Thank you']], user)).toEqual({ total: null });
  });

  it('the one named for everything is not used for a field it lacks', async () => {
    const schema = { total: number, iban: text };
    const iban = 'IBAN: DE89 3704 0044 0532 0130 00';
    expect(await extractFrom(schema, [[...one, iban], two], 'Use file 2')).toEqual({
      total: 200,
      iban: 'DE89 3704 0044 0532 0130 00',
    });
  });

  it('labels, headings and rows do not carry over to the next', async () => {
    const list = {
      items: {
        type: 'array',
        items: {
          type: 'object',
          required: ['name', 'qty'],
          properties: { name: text, qty: { type: 'integer' } },
        },
      },
    };
    const rows = (...names: readonly string[]) => [
      'Name     Qty',
      ...names.map((name, row) => `${name}     ${row + 1}`),
    ];
    expect(await extractFrom(list, [rows('Bolt', 'Nut'), rows('Lamp', 'Cable', 'Plug')])).toEqual({
      items: [
        { name: 'Lamp', qty: 1 },
        { name: 'Cable', qty: 2 },
        { name: 'Plug', qty: 3 },
      ],
    });
    expect(
      await extractFrom(
        list,
        [rows('Bolt', 'Nut'), rows('Lamp', 'Cable', 'Plug')],
        'The items are in file 1',
      ),
    ).toEqual({
      items: [
        { name: 'Bolt', qty: 1 },
        { name: 'Nut', qty: 2 },
      ],
    });
    expect(await extractFrom(list, [['Name: Bolt', 'Qty: 1', 'Name: Nut'], ['Qty: 2']])).toEqual({
      items: [],
    });
    const skills = { skills: { type: 'array', items: text } };
    expect(
      await extractFrom(skills, [
        ['About', 'Skills'],
        ['Dear Ann', 'Hello'],
      ]),
    ).toEqual({ skills: [] });
    const status = { status: { anyOf: [{ enum: ['not paid'] }, { type: 'null' }] } };
    expect(await extractFrom(status, [['It is not'], ['paid yet']])).toEqual({ status: null });
  });

  it('each has its own letterhead and first date', async () => {
    const texts = [
      ['Ajax Ltd', '', 'Date: 1 May 2024'],
      ['Bravo Ltd', '', '2 May 2024', '', '3 May 2024'],
    ];
    const schema = { company: text, date };
    expect(await extractFrom(schema, texts, 'Use file 2')).toEqual({
      company: 'Bravo Ltd',
      date: '2024-05-02',
    });
  });
});

describe('values of forms, letters and minutes', () => {
  it('stand behind dots that lead to them', async () => {
    const lines = ['Apellidos ......... Gil Soto', 'C.P. .............. 31001       Localidad ... Irun'];
    expect(await extract({ apellidos: text, codigo_postal: text, localidad: text }, lines)).toEqual({
      apellidos: 'Gil Soto',
      codigo_postal: '31001',
      localidad: 'Irun',
    });
  });

  it.each([
    [
      'below the salutation',
      ['Dear Ms Ray,', '', 'End of your tenancy at Flat 4', '', 'We confirm the end of it.'],
    ],
    ['above it', ['End of your tenancy at Flat 4', '', 'Dear Ms Ray,', 'we confirm the end of it.']],
  ])('are the subject where a line stands alone %s', async (_, lines) => {
    expect(await extract({ subject: text }, ['Vale Lettings', '', ...lines])).toEqual({
      subject: 'End of your tenancy at Flat 4',
    });
  });

  it('are named by a label in brackets, also in a list', async () => {
    const lines = ['Present: Rita Coombes (chair), Dev Patel (minutes), Sam Oakley'];
    const schema = { chair: text, minutes_taken_by: text, present: { type: 'array', items: text } };
    expect(await extract(schema, lines)).toMatchObject({
      chair: 'Rita Coombes',
      minutes_taken_by: 'Dev Patel',
    });
  });
});

describe('lists with empty lines', () => {
  const job = { type: 'object', properties: { position: text, company: text, year: { type: 'integer' } } };
  const lines = [
    'Experience',
    'Engineer, Acme GmbH, 2019',
    '',
    'Trainee, Beta AG, 2015',
    '',
    'Hobbies',
    'Chess, Go',
  ];

  it('go on where the next line has as many parts', async () => {
    expect(await extract({ experience: { type: 'array', items: job } }, lines)).toEqual({
      experience: [
        { position: 'Engineer', company: 'Acme GmbH', year: 2019 },
        { position: 'Trainee', company: 'Beta AG', year: 2015 },
      ],
    });
  });

  it.each([
    ['each item stands alone', ['German', '', 'English', '', 'French', '', 'Hobbies:', 'Chess']],
    ['a bullet follows a bullet', ['- German', '- English', '', '- French', '', 'Chess']],
  ])('go on where %s', async (_, items) => {
    const found = await extract({ languages: { type: 'array', items: text } }, ['Languages', ...items]);
    expect(found).toEqual({ languages: ['German', 'English', 'French'] });
  });
});
