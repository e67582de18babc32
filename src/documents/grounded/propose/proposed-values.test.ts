import { describe, expect, it } from 'vitest';
import { makeCaller } from '../../../../testing/fake-callers.ts';
import { FakeMeter } from '../../../../testing/fake-meter.ts';
import { type FakeAnswers, FakeFieldFinder } from '../../../../testing/reading/fake-field-finder.ts';
import { emptyPage } from '../../../reading/page-text.ts';
import { proposedValues } from './proposed-values.ts';

const never = new AbortController().signal;
const text = { type: 'string' };
const row = { type: 'object', properties: { name: text, price: { type: 'number' } } };
const schema = {
  type: 'object',
  properties: {
    seller: { type: 'object', properties: { name: text } },
    due: { ...text, format: 'date' },
    items: { type: 'array', items: row },
  },
};

function proposed(page: string, answers: FakeAnswers) {
  const documents = [{ name: 'a.pdf', ocrUsed: false, pages: [{ ...emptyPage, text: page }] }];
  return proposedValues(
    { schema, documents, caller: makeCaller(), leisure: never, meter: new FakeMeter() },
    new FakeFieldFinder(answers),
    never,
  );
}

describe('the values that the field finder proposes to a model', () => {
  it('are written as the schema asks, with how sure they are', async () => {
    const page = 'Northwind\nDue 12 March 2024\nLamp 1.200,50\nChair 80,00';
    const answers = {
      fields: { 'seller.name': [['Northwind', 0.914]], due: [['12 March 2024', 0.6]] },
      lists: {
        items: [
          ['Lamp', '1.200,50'],
          ['Chair', '80,00'],
        ],
      },
    } as const;
    expect(await proposed(page, answers)).toBe(
      [
        '/seller/name: "Northwind" (0.91)',
        '/due: "2024-03-12" (0.60)',
        '/items/0: {"name":"Lamp","price":1200.5}',
        '/items/1: {"name":"Chair","price":80}',
      ].join('\n'),
    );
  });

  it('leave out what is unlikely, and say nothing if that is all', async () => {
    expect(await proposed('Northwind', { fields: { 'seller.name': [['Northwind', 0.4]] } })).toBeUndefined();
  });

  it('end before the prompt grows long', async () => {
    const names = Array.from({ length: 400 }, (_, index) => `Article${index}`);
    const lists = { items: names.map((name) => [name, undefined] as const) };
    const written = (await proposed(names.join('\n'), { lists })) ?? '';
    expect(written.length).toBeLessThanOrEqual(4_000);
    expect(written.split('\n').length).toBeGreaterThan(50);
  });
});
