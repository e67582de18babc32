import { expect, it } from 'vitest';
import { emptyPage } from '../../../reading/page-text.ts';
import { sourceFiles } from './source-text.ts';

const box = { x0: 0, y0: 0, x1: 1, y1: 1 };

it('finds the words of a page in its text, with their boxes and places', () => {
  const words = ['Total', '12.50'].map((text) => ({ text, box, confidence: 1 }));
  const line = { text: 'Total   12.50', box, words, places: Float32Array.of(0, 10, 50, 20, 80, 10, 130, 20) };
  const first = { ...emptyPage, text: 'Bill' };
  const second = { ...emptyPage, text: '\n  Total   12.50\n', lines: [line] };
  const [file] = sourceFiles([{ name: 'a.pdf', pages: [first, second] }]);
  const page = file?.pages[1];
  expect(page?.words.map(({ start, end }) => file?.source.text.slice(start, end))).toEqual([
    'Total',
    '12.50',
  ]);
  expect(page?.words[1]?.box).toBe(box);
  expect(page?.places[1]).toEqual({ text: '12.50', x0: 80, y0: 10, x1: 130, y1: 20 });
});

it('places words on a grid where the page does not say where they stand', () => {
  const [file] = sourceFiles([{ name: 'a.pdf', pages: [{ ...emptyPage, text: 'a\n\n  bc d' }] }]);
  expect(file?.pages[0]?.places).toEqual([
    { text: 'a', x0: 0, y0: 0, x1: 8, y1: 14 },
    { text: 'bc', x0: 16, y0: 36, x1: 32, y1: 50 },
    { text: 'd', x0: 40, y0: 36, x1: 48, y1: 50 },
  ]);
});
