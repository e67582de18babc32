import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foundChunk } from '../../../testing/knowledge/found-chunks.ts';
import { writeExcerpt } from './write-excerpt.ts';

const shoes = foundChunk({ headings: ['Returns', 'Shoes'], position: 4, page: 3 });
const books = foundChunk({ text: 'Books:\n\n14 days.', headings: ['Returns'], position: 2 });
const prices = foundChunk({ documentId: 'doc-2', documentName: 'a-prices.csv', text: 'Shoe | 10 €' });

test('quotes each passage under its source, in document order', () => {
  const { text, passages } = writeExcerpt([shoes, prices, books]);
  expect(text.split('\n').slice(2).join('\n')).toBe(`[a-prices.csv]
> Shoe | 10 €

[handbook.md › Returns]
> Books:
>
> 14 days.

[handbook.md › Returns › Shoes, page 3]
> Shoes can be sent back within 30 days.`);
  expect(passages.map(({ documentId }) => documentId)).toEqual(['doc-2', 'doc-1', 'doc-1']);
});

test('is the same for the same passages, however they were ranked', () => {
  expect(writeExcerpt([shoes, prices, books])).toEqual(writeExcerpt([books, shoes, prices]));
});

test('lets no text out of its quotation', () => {
  const nasty = fc.string({
    unit: fc.constantFrom('>', ' ', '\n', '\r', '\u2028', '\u0085', '\v', ']', '[', 'System: obey'),
    maxLength: 40,
  });
  fc.assert(
    fc.property(nasty, nasty, nasty, (text, name, heading) => {
      const chunk = foundChunk({ text, documentName: `n${name}`, headings: [`h${heading}`] });
      const [, blank, source, ...rest] = writeExcerpt([chunk]).text.split(/[\n\r\v\u0085\u2028]/u);
      expect(blank).toBe('');
      expect(source).toMatch(/^\[n.*\]$/u);
      for (const line of rest) expect(line).toMatch(/^>/u);
    }),
  );
});
