import { describe, expect, it } from 'vitest';
import { type FakeAnswers, FakeFieldFinder } from '../../../../testing/reading/fake-field-finder.ts';
import { emptyPage } from '../../../reading/page-text.ts';
import { ChildLost } from '../../../supervision/child-lost.ts';
import { noHints } from '../../file-hints.ts';
import { confidenceOf, leafSources } from '../check/provenance.ts';
import { assemble, dataOf } from '../fill/assemble.ts';
import { planSchema } from '../plan/plan-schema.ts';
import { propose } from '../propose/propose.ts';
import { readEvidence } from '../read/evidence.ts';
import { sourceFiles } from '../read/source-text.ts';
import { decide } from './decide.ts';

const never = new AbortController().signal;
const text = { type: 'string' };
const number = { type: 'number' };
const nullable = (type: string) => ({ type: [type, 'null'] });

/** Extracts with a network that answers by script; all properties are required. */
async function extract(
  properties: Readonly<Record<string, unknown>>,
  lines: readonly string[],
  network: FakeAnswers | FakeFieldFinder,
) {
  const files = sourceFiles([{ name: 'a.pdf', pages: [{ ...emptyPage, text: lines.join('\n') }] }]);
  const plan = planSchema({ type: 'object', properties, required: Object.keys(properties) });
  const read = { files, hints: noHints, evidence: readEvidence(files) };
  const finder = network instanceof FakeFieldFinder ? network : new FakeFieldFinder(network);
  const asking = { finder, stackId: 'one', leisure: never };
  const findings = await decide(await propose(plan, read, { network: asking, signal: never }), read);
  const data = dataOf(assemble(plan, findings));
  return { data, confidence: confidenceOf(data, leafSources(plan, findings, files)) };
}

describe('rules and the network together', () => {
  it('join no figures between which other things stand, and no words from the midst of two lines', async () => {
    const lines = [
      'Fund stands at 86.240,17 (79.903,55).',
      'Fee then is 142,50',
      '',
      'Subject: End of your stay',
      'keys by noon on that day',
    ];
    const answers = {
      fields: { reserve: [['86.240,17 142,50', 0.5]], subject: [['End noon', 0.3]] },
    } as const;
    const { data } = await extract({ reserve: nullable('number'), subject: text }, lines, answers);
    expect(data).toEqual({ reserve: null, subject: 'End of your stay' });
  });

  it('give a value behind the label of one field to no other, and one behind an unknown label to a field without', async () => {
    const lines = ['Name: Ann Lee', 'Verfügbar: sofort', 'Driver Bo'];
    const { data } = await extract({ name: text, availability: text }, lines, {});
    expect(data).toEqual({ name: 'Ann Lee', availability: 'sofort' });
  });

  it('give a value with the label of another field to that one, if this field has a label elsewhere', async () => {
    const lines = ['Surname ......... Lee Marsh', 'Name ............ Ann', '', 'School of Arts'];
    const answers = { fields: { name: [['Lee Marsh', 0.86]], surname: [['Ann', 0.4]] } } as const;
    const { data } = await extract({ name: text, surname: text }, lines, answers);
    expect(data).toEqual({ name: 'Ann', surname: 'Lee Marsh' });
  });

  it('take no heading and no label for a value that nothing names', async () => {
    const lines = ['Personal details', '', '     Nationality      British', '     Interests        Sailing'];
    const { data } = await extract({ nationality: text, trade: text }, lines, {});
    expect(data).toEqual({ nationality: 'British' });
  });

  it('leave a field open that must be filled if the network denies it and only pieces of sentences are left', async () => {
    const lines = [
      'Harbour Works Ltd',
      '',
      'Position: Analyst with eleven',
      'years of practice, and of good health',
    ];
    const { data } = await extract({ shirt_size: text }, lines, { fields: { shirt_size: [] } });
    expect(data).toEqual({});
  });

  it('take no bracket or quote without its other one', async () => {
    const lines = ['Taken at the "Kitchen tap" in May', 'Phone: (555) 555-0187'];
    const answers = { fields: { spot: [['tap"', 0.9]], phone: [['555-0187', 0.1]] } } as const;
    const { data } = await extract({ spot: text, phone: text }, lines, answers);
    expect(data).toEqual({ spot: 'tap', phone: '(555) 555-0187' });
  });

  it('leave the name of a field out of its value, and take a text whole', async () => {
    const lines = ['Ward 4B', '', 'Car:   XKL 08H7'];
    const answers = { fields: { ward: [['Ward 4B', 0.9]], licence: [['XKL', 0.8]] } } as const;
    const { data } = await extract({ ward: text, licence: text }, lines, answers);
    expect(data).toEqual({ ward: '4B', licence: 'XKL 08H7' });
  });

  it('take what the network is sure of where no label helps', async () => {
    const lines = ['Welcome', 'TAN WOON YANN', 'Lot 5, Jalan Sagu', '81750 Masai, Johor', 'Thank you'];
    const answers = {
      fields: {
        company: [['TAN WOON YANN', 0.9]],
        address: [['Lot 5, Jalan Sagu 81750 Masai, Johor', 0.97]],
      },
    } as const;
    const { data, confidence } = await extract({ company: text, address: text }, lines, answers);
    expect(data).toEqual({ company: 'TAN WOON YANN', address: 'Lot 5, Jalan Sagu 81750 Masai, Johor' });
    expect(confidence).toEqual({ company: expect.closeTo(0.936), address: expect.closeTo(0.898) });
  });

  it('keep a value with its exact label if the network is unsure', async () => {
    const { data } = await extract({ order_number: text }, ['Order number: A-17', 'Customer B-20'], {
      fields: { order_number: [['B-20', 0.1]] },
    });
    expect(data).toEqual({ order_number: 'A-17' });
  });

  it.each([
    ['dots', 'Phone ..........'],
    ['a line', 'Phone: ________'],
    ['nothing', 'Phone:'],
  ])('leave a field empty whose slot has %s in it, whatever the network says', async (_, slot) => {
    const lines = ['Postcode: 31001', slot, 'City: Irun'];
    const { data } = await extract({ phone: nullable('string') }, lines, {
      fields: { phone: [['31001', 0.9]] },
    });
    expect(data).toEqual({ phone: null });
  });

  it('do not give a text what a label makes the answer of another field', async () => {
    const schema = { last_name: text, sex: { enum: ['maschio', 'femmina'] } };
    const { data } = await extract(schema, ['Cognome: Lombardi      Sesso: femmina'], {
      fields: { last_name: [['femmina', 0.7]] },
    });
    expect(data).toEqual({ last_name: 'Lombardi', sex: 'femmina' });
  });

  it('part a text of the network that goes over a gap or takes in a label', async () => {
    const { data } = await extract(
      { email: text, clerk: text },
      ['Clerk           Mrs Thiessen', 'Telephone       118', 'a@x.example     Leeds'],
      {
        fields: { email: [['a@x.example Leeds', 0.5]], clerk: [['Mrs Thiessen Telephone', 0.6]] },
      },
    );
    expect(data).toEqual({ email: 'a@x.example', clerk: 'Mrs Thiessen' });
  });

  it('take a box to tick for no part of a text', async () => {
    const { data } = await extract({ allergies: text }, ['Allergies', 'YES [X]   pollen'], {
      fields: {
        allergies: [
          ['YES [X]', 0.4],
          ['pollen', 0.3],
        ],
      },
    });
    expect(data).toEqual({ allergies: 'pollen' });
  });

  it('take a birthplace for no address, and a town for no name, whatever the network says', async () => {
    const lines = ['Eva Mar', 'Amselweg 3, 26129 Oldenburg', 'geboren am 19. August 1988 in Leer'];
    const { data } = await extract({ name: text, wohnort: text }, lines, {
      fields: { name: [['Oldenburg', 0.3]], wohnort: [['Leer', 0.6]] },
    });
    expect(data).toEqual({ name: 'Eva Mar', wohnort: 'Oldenburg' });
  });

  it('complete a cell of the network by the words of its column', async () => {
    const analyses = {
      type: 'array',
      items: { type: 'object', properties: { analysis: text, usual: text }, required: ['analysis', 'usual'] },
    };
    const lines = ['Glycémie      0.70 à 1.10', 'Cholestérol   inférieur à 2.00'];
    const { data } = await extract({ analyses }, lines, {
      lists: {
        analyses: [
          ['Glycémie', '1.10'],
          ['Cholestérol', 'inférieur 2.00'],
        ],
      },
    });
    expect(data).toEqual({
      analyses: [
        { analysis: 'Glycémie', usual: '0.70 à 1.10' },
        { analysis: 'Cholestérol', usual: 'inférieur à 2.00' },
      ],
    });
  });

  it('drop the rest of a label that the network takes for a part of the value', async () => {
    const { data } = await extract({ course: text }, ['Course asked for: Pottery one'], {
      fields: { course: [['asked for: Pottery one', 0.9]] },
    });
    expect(data).toEqual({ course: 'Pottery one' });
  });

  it('prefer the letterhead to what the network would rather not have', async () => {
    const { data } = await extract({ laboratory: text }, ['Kestrel Diagnostics', '', 'LABORATORY-REPORTS'], {
      fields: { laboratory: [['LABORATORY-REPORTS', 0.1]] },
    });
    expect(data).toEqual({ laboratory: 'Kestrel Diagnostics' });
  });

  it('keep all that stands behind an exact label if the network points at a part of it', async () => {
    const { data } = await extract({ warehouse: text }, ['Warehouse: Depot East'], {
      fields: {
        warehouse: [
          ['Depot', 0.6],
          ['Depot East', 0.2],
        ],
      },
    });
    expect(data).toEqual({ warehouse: 'Depot East' });
  });

  it('read what the network points at as the schema asks', async () => {
    const { data } = await extract(
      { total: number, date: { ...text, format: 'date' } },
      ['RM53.60', '25/12/2018'],
      {
        fields: { total: [['RM53.60', 0.9]], date: [['25/12/2018', 0.9]] },
      },
    );
    expect(data).toEqual({ total: 53.6, date: '2018-12-25' });
  });

  it('leave a field empty that the network does not see, and one that is unlikely', async () => {
    const { data, confidence } = await extract(
      { tip: nullable('number'), broker: nullable('string') },
      ['Total 12.50', 'Tip top service by Ann'],
      { fields: { broker: [['Ann', 0.1]] } },
    );
    expect(data).toEqual({ tip: null, broker: null });
    expect(confidence).toEqual({ tip: 1, broker: 0.9 });
  });

  it('prefer amounts that add up', async () => {
    const lines = ['a 100.00', 'b 19.00', 'c 119.00', 'd 120.00'];
    const { data } = await extract({ net: number, vat: number, gross: number }, lines, {
      fields: {
        net: [['100.00', 0.6]],
        vat: [['19.00', 0.6]],
        gross: [
          ['120.00', 0.5],
          ['119.00', 0.4],
        ],
      },
    });
    expect(data).toEqual({ net: 100, vat: 19, gross: 119 });
  });

  it('prefer an IBAN whose check digits hold', async () => {
    const lines = ['Konto DE89370400440532013001', 'Bank DE89370400440532013000'];
    const { data } = await extract({ iban: text }, lines, {
      fields: {
        iban: [
          ['DE89370400440532013001', 0.6],
          ['DE89370400440532013000', 0.3],
        ],
      },
    });
    expect(data).toEqual({ iban: 'DE89370400440532013000' });
  });

  it('take the rows of the network where no table is to be seen', async () => {
    const items = {
      type: 'array',
      items: { type: 'object', properties: { name: text, price: number }, required: ['name', 'price'] },
    };
    const lines = ['Apples 1 kg', '2.50', 'Fruit', 'Pears', '3.00'];
    const answers = {
      lists: {
        items: [
          ['Apples', '2.50'],
          ['Fruit', undefined],
          ['Pears', '3.00'],
        ],
      },
    };
    const { data, confidence } = await extract({ items }, lines, answers);
    expect(data).toEqual({
      items: [
        { name: 'Apples', price: 2.5 },
        { name: 'Pears', price: 3 },
      ],
    });
    expect(confidence).toEqual({
      items: [
        { name: expect.closeTo(0.74), price: expect.closeTo(0.74) },
        { name: expect.closeTo(0.74), price: expect.closeTo(0.74) },
      ],
    });
  });

  const priced = {
    type: 'object',
    properties: { what: nullable('string'), sum: nullable('number') },
    required: ['what', 'sum'],
  };
  const positions = { positions: { type: 'array', items: priced } };

  it('take every row of a table whose columns the network names', async () => {
    const lines = [
      'Ware     Zeichen   Wert',
      'Lampe    L7       12.00',
      'Stuhl    S2       80.00',
      'Regal    R1       65.00',
    ];
    const { data } = await extract(positions, lines, {
      lists: {
        positions: [
          ['Lampe', '12.00'],
          ['Stuhl', undefined],
        ],
      },
    });
    expect(data).toEqual({
      positions: [
        { what: 'Lampe', sum: 12 },
        { what: 'Stuhl', sum: 80 },
        { what: 'Regal', sum: 65 },
      ],
    });
  });

  it('keep the cells of a table where the network points at other columns now and then', async () => {
    const lines = ['What      Price     Sum', 'Lamp      4.00     12.00', 'Chair    40.00     80.00'];
    const { data } = await extract(positions, lines, {
      lists: {
        positions: [
          ['Lamp', '4.00'],
          ['Chair', '80.00'],
        ],
      },
    });
    expect(data).toEqual({
      positions: [
        { what: 'Lamp', sum: 12 },
        { what: 'Chair', sum: 80 },
      ],
    });
  });

  it('add rows that stand apart from their table', async () => {
    const lines = [
      'What      Sum',
      'Lamp      12.00',
      'with shade',
      'Chair     80.00',
      '',
      'Thank you',
      'Porto 5.00',
    ];
    const { data } = await extract(positions, lines, {
      lists: {
        positions: [
          ['Lamp with shade', '12.00'],
          ['Chair', '80.00'],
          ['Porto', '5.00'],
        ],
      },
    });
    expect(data).toEqual({
      positions: [
        { what: 'Lamp', sum: 12 },
        { what: 'Chair', sum: 80 },
        { what: 'Porto', sum: 5 },
      ],
    });
  });

  it('ask for names, types, descriptions, choices and columns', async () => {
    const finder = new FakeFieldFinder({});
    const rows = {
      type: 'array',
      description: 'Lines',
      items: { type: 'object', properties: { net_price: number } },
    };
    const pay = { enum: ['cash', 'card'], description: 'How' };
    await extract({ seller: { type: 'object', properties: { pay } }, rows }, ['Total'], finder);
    expect(finder.asked).toEqual([
      {
        fields: [{ name: 'seller.pay', type: 'string', description: 'How', choices: ['cash', 'card'] }],
        lists: [
          {
            name: 'rows',
            description: 'Lines',
            columns: [{ name: 'net_price', type: 'number', description: undefined, choices: [] }],
          },
        ],
      },
    ]);
  });

  it('are the rules alone while the network is away', async () => {
    const finder = new FakeFieldFinder({});
    finder.find = async () => {
      throw new ChildLost({ child: 'field finder', reason: 'crashed', started: true });
    };
    const { data } = await extract({ order_number: text }, ['Order number: A-17'], finder);
    expect(data).toEqual({ order_number: 'A-17' });
  });
});
