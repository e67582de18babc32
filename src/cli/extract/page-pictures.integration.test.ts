import { expect, it } from 'vitest';
import { PdfWriter } from '../../../testing/reading/pdf-writer.ts';
import { pictureFacts } from '../../pictures/describe-picture.ts';
import { pagePictures } from './page-pictures.ts';

it('draws every page of every PDF', async () => {
  const writer = new PdfWriter();
  writer.addPage({ content: '', size: [100, 50] });
  writer.addPage({ content: '', size: [50, 100] });
  const bytes = writer.build();
  const files = [
    { name: 'a.pdf', bytes },
    { name: 'b.pdf', bytes },
  ];
  const pages = await pagePictures(files, 'documents');
  expect(pages.map(({ file, fileName, page }) => [file, fileName, page])).toEqual([
    [1, 'a.pdf', 1],
    [1, 'a.pdf', 2],
    [2, 'b.pdf', 1],
    [2, 'b.pdf', 2],
  ]);
  const facts = pages.map((page) => pictureFacts(page.bytes ?? Buffer.alloc(0)));
  expect(facts.slice(0, 2)).toMatchObject([
    { format: 'PNG', size: { width: 277, height: 138 } },
    { format: 'PNG', size: { width: 138, height: 277 } },
  ]);
});
