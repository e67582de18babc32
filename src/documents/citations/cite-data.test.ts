import { describe, expect, it } from 'vitest';
import { emptyPage, type PageLine } from '../../reading/page-text.ts';
import { citeData } from './cite-data.ts';

/** A line of adjacent words, each a tenth of the page wide. */
function line(text: string, row: number): PageLine {
  const words = text.split(' ').map((word, index) => ({
    text: word,
    confidence: 1,
    box: { x0: index / 10, y0: row / 10, x1: (index + 1) / 10, y1: (row + 1) / 10 },
  }));
  return { text, words, box: { x0: 0, y0: row / 10, x1: words.length / 10, y1: (row + 1) / 10 } };
}

const page = (...lines: readonly string[]) => ({
  ...emptyPage,
  text: lines.join('\n'),
  lines: lines.map(line),
});

const anyFile = () => new Set<number>();

describe('citations', () => {
  const documents = [
    { name: 'a.pdf', pages: [page('Seller: Northwind Tools')] },
    {
      name: 'b.pdf',
      pages: [
        page('Nothing here'),
        page('Due date: 12 March 2024', 'Discount 3,50 of £1,200.50.', 'Total: £1,200.50'),
      ],
    },
  ];

  it('say file, page, words and box of what stands in the documents', () => {
    const data = { seller: 'Northwind Tools', due: '2024-03-12', lines: [{ total: 1200.5 }] };
    const [first, second] = [
      { file: 1, file_name: 'a.pdf' },
      { file: 2, file_name: 'b.pdf' },
    ];
    expect(citeData(data, documents, anyFile)).toEqual({
      seller: { ...first, page: 1, quote: 'Northwind Tools', box: { x0: 0.1, y0: 0, x1: 0.3, y1: 0.1 } },
      due: { ...second, page: 2, quote: '12 March 2024', box: { x0: 0.2, y0: 0, x1: 0.5, y1: 0.1 } },
      lines: [
        {
          total: {
            ...second,
            page: 2,
            quote: '£1,200.50',
            box: { x0: 0.1, y0: 0.2, x1: 0.2, y1: expect.closeTo(0.3) },
          },
        },
      ],
    });
  });

  it.each([
    ['sticks to its label', 'Rechnung:R-7311', 'Rechnung:R-7311'],
    ['has gaps', 'Rechnung R - 7311', 'R - 7311'],
    ['has another dash', 'Rechnung R–7311', 'R–7311'],
    ['is part of a longer one', 'Rechnung R-7311/2024', 'R-7311/2024'],
  ])('quote an identifier that %s', (_, text, quote) => {
    const cited = citeData({ number: 'R-7311' }, [{ name: 'a.pdf', pages: [page(text)] }], anyFile);
    expect(cited).toMatchObject({ number: { quote } });
  });

  it('quote a text that goes on in the lines below', () => {
    const pages = [page('Rue Haute 3,', '49100 Angers', 'France')];
    expect(citeData({ a: 'Rue Haute 3, 49100 Angers' }, [{ name: 'a.pdf', pages }], anyFile)).toMatchObject({
      a: { quote: 'Rue Haute 3, 49100 Angers', box: { x0: 0, y0: 0, y1: 0.2 } },
    });
  });

  it('do not quote a part of a word', () => {
    const pages = [page('AR-73110')];
    expect(citeData({ a: 'R-7311' }, [{ name: 'a.pdf', pages }], anyFile)).toEqual({
      a: { grounded: false },
    });
  });

  it('prefer the file that a value is from, whatever others say of it', () => {
    const same = [
      { name: 'a.pdf', pages: [page('Total: 12.00')] },
      { name: 'b.pdf', pages: [page('Sum 12.00', '5.00')] },
    ];
    const filesOf = ([name]: readonly string[]) => new Set(name === 'other' ? [1] : [2]);
    const data = { total: 12, items: [12], other: 5 };
    expect(citeData(data, same, filesOf)).toMatchObject({
      total: { file: 2, file_name: 'b.pdf' },
      items: [{ file: 2 }],
      other: { file: 2 },
    });
  });

  it('say so of what does not', () => {
    const ungrounded = { grounded: false };
    expect(citeData({ a: null, b: true, c: 'Southwind', d: 12, e: [] }, documents, anyFile)).toEqual({
      a: ungrounded,
      b: ungrounded,
      c: ungrounded,
      d: ungrounded,
      e: [],
    });
  });

  it('say where the extractor took a value from, if it knows', () => {
    const known = {
      file: 1,
      file_name: 'a.pdf',
      page: 1,
      quote: 'Northwind',
      box: { x0: 0, y0: 0, x1: 1, y1: 1 },
    };
    const data = { seller: { name: 'Northwind Tools' }, other: 'Seller:' };
    const cited = citeData(data, documents, anyFile, new Map([['/seller/name', known]]));
    expect(cited).toMatchObject({ seller: { name: known }, other: { quote: 'Seller:' } });
  });
});
