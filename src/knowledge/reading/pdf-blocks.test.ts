import { expect, it } from 'vitest';
import type { PageText } from '../../reading/page-text.ts';
import type { DocumentBlock } from '../document-block.ts';
import { blocksOfPrintedPages, printedPage } from './pdf-blocks.ts';

/** A printed page; lines that start with ^ are twice as tall. */
function page(text: string): PageText {
  const rows = text.split('\n').filter((row) => row.trim() !== '');
  const lines = rows.map((row) => ({
    text: row.replace('^', '').trim(),
    box: { x0: 0, y0: 0, x1: 1, y1: row.startsWith('^') ? 0.04 : 0.02 },
    words: [],
  }));
  return { text: text.replaceAll('^', ''), lines, ocrUsed: false, isDamaged: false };
}
const blocksOfPages = (pages: readonly PageText[]) => blocksOfPrintedPages(pages.map(printedPage));
const on = (number: number, block: DocumentBlock): DocumentBlock => ({ ...block, page: number });
const prose = (number: number) =>
  `The ${number}th agreement between both parties begins on the first day of\nthe month and ends when either party says so.`;
const joined = (number: number) => prose(number).replace('\n', ' ');

it('finds headings by their size, their number, capitals and shortness', () => {
  const text = `^Annual report\n${prose(1)}\n\n1.2 Scope\n${prose(2)}\n\nGENERAL TERMS\n${prose(3)}\n\nPayment\n\n${prose(4)}`;
  expect(blocksOfPages([page(text)])).toEqual([
    on(1, { type: 'heading', level: 1, text: 'Annual report' }),
    on(1, { type: 'paragraph', text: joined(1) }),
    on(1, { type: 'heading', level: 3, text: '1.2 Scope' }),
    on(1, { type: 'paragraph', text: joined(2) }),
    on(1, { type: 'heading', level: 2, text: 'GENERAL TERMS' }),
    on(1, { type: 'paragraph', text: joined(3) }),
    on(1, { type: 'heading', level: 3, text: 'Payment' }),
    on(1, { type: 'paragraph', text: joined(4) }),
  ]);
});

it('takes no item of a list, line of an address or contents for a heading', () => {
  const text = `1. Send the form\n2. Wait for it\n\nAcme Ltd\n12 High Street\nLondon\n\n1.1 Scope ........... 4`;
  expect(blocksOfPages([page(text)]).map(({ type }) => type)).not.toContain('heading');
});

it('leaves out what runs along the edges of the pages, and the page numbers', () => {
  const pages = [1, 2, 3, 4, 5].map((number) =>
    page(`Acme Corp – Handbook\n\n${prose(number)}\n\nPage ${number + 6} of 90`),
  );
  expect(blocksOfPages(pages)).toEqual(
    [1, 2, 3, 4, 5].map((number) => on(number, { type: 'paragraph', text: joined(number) })),
  );
});

it('keeps rows at the edge of a page that differ only in their numbers', () => {
  const pages = [1, 2, 3, 4].map((number) =>
    page(
      `Employee ${number * 31}    ${number * number * 1_000}\nEmployee ${number * 31 + 1}    ${number * 777}`,
    ),
  );
  const rows = blocksOfPages(pages).flatMap((block) => (block.type === 'table' ? block.rows : []));
  expect(rows).toHaveLength(8);
});

it('keeps tables in rows, with the names of the columns once', () => {
  const top = 'Item          Qty     Price';
  const pages = [1, 2, 3].map((number) =>
    page(
      `${top}\nWidget ${number}       2      10.00\nLong gadget          1,250.00\n              ${number}3      9.00`,
    ),
  );
  const [block, ...rest] = blocksOfPages(pages);
  expect(rest).toEqual([]);
  if (block?.type !== 'table') throw new Error('no table');
  expect(block.header).toEqual(['Item', 'Qty', 'Price']);
  expect(block.rows.slice(0, 3)).toEqual([
    ['Widget 1', '2', '10.00'],
    ['Long gadget', '', '1,250.00'],
    ['', '13', '9.00'],
  ]);
  expect(block.rows).toHaveLength(9);
});

it('joins a sentence that goes on over the page, and a word that is divided there', () => {
  const pages = [
    page(`${joined(1)}\n\nThe tenant pays the rent on the first working day of each month and the depo-`),
    page('sit when the contract is signed.\n\nA new paragraph follows here.'),
  ];
  expect(blocksOfPages(pages)).toEqual([
    on(1, { type: 'paragraph', text: joined(1) }),
    on(1, {
      type: 'paragraph',
      text: 'The tenant pays the rent on the first working day of each month and the deposit when the contract is signed.',
    }),
    on(2, { type: 'paragraph', text: 'A new paragraph follows here.' }),
  ]);
});

it('reads pages without lines or without text', () => {
  expect(blocksOfPages([])).toEqual([]);
  const blank = { text: '', lines: [], ocrUsed: false, isDamaged: true };
  const bare = { text: 'words only', lines: [], ocrUsed: true, isDamaged: false };
  expect(blocksOfPages([blank, bare])).toEqual([on(2, { type: 'paragraph', text: 'words only' })]);
});
