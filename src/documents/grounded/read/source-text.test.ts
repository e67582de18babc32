import { describe, expect, it } from 'vitest';
import { extract } from '../../../../testing/documents/extract-by-rules.ts';
import { emptyPage } from '../../../reading/page-text.ts';
import { sourceFiles } from './source-text.ts';

const LONG = 100_000;

function linesOf(text: string) {
  return sourceFiles([{ name: 'a.pdf', pages: [{ ...emptyPage, text }] }]).flatMap(
    ({ source }) => source.lines,
  );
}

describe('a line', () => {
  it('that is too long is read as several, which have all of it in order and keep words whole', () => {
    const text = `Title\n${'word '.repeat(300)}end\n${'x'.repeat(1_200)}\nlast`;
    const lines = linesOf(text);
    expect(lines.every((line) => line.text.length <= 500)).toBe(true);
    expect(lines.every(({ start, text: line }) => text.startsWith(line, start))).toBe(true);
    expect(lines.map((line) => line.text).join('')).toBe(text.replaceAll('\n', ''));
    expect(lines.slice(1, 5).every((line) => /(?:^|\s)(?:word|end)\s?$/.test(line.text))).toBe(true);
  });

  it.each([', ', 'A', 'a ', '- ', '( ', '1.', 'a: '])(
    'of a hundred thousand characters of %j is read to its end',
    async (atom) => {
      const station = { role: 'string', company: 'string', from: 'string' };
      const schema = {
        name: { type: ['string', 'null'] },
        address: { type: ['string', 'null'] },
        total: { type: ['number', 'null'] },
        paid: { type: ['boolean', 'null'] },
        experience: listOf(station),
        items: listOf({ name: 'string', price: 'number' }),
        notes: { type: 'array', items: { type: 'string' } },
      };
      const line = atom.repeat(LONG / atom.length);
      const data = await extract(schema, ['Experience', line, 'Total: 12.00']);
      expect(data).toMatchObject({ total: 12 });
    },
  );
});

function listOf(types: Readonly<Record<string, string>>) {
  const properties = Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }]));
  return { type: 'array', items: { type: 'object', properties, required: Object.keys(properties) } };
}
