import { afterAll, expect, test } from 'vitest';
import { judgedPages } from '../../../testing/reading/judged-pages.ts';
import { defaultPdfWorkers, PdfWorkers } from './pdf-workers.ts';

const workers = new PdfWorkers({ ...defaultPdfWorkers, workers: 1, stepMs: 60_000 });
const { signal } = new AbortController();

afterAll(() => workers.stop(AbortSignal.abort()));

test('the need for OCR is seen on pages of many kinds, with at most one mistake', async () => {
  const { pdf, pages } = judgedPages();
  const wrong: string[] = [];
  let index = 0;
  for await (const { needsOcr } of workers.read(pdf, { stackId: 'shop', signal })) {
    const judged = pages[index];
    if (judged && judged.needsOcr !== needsOcr) wrong.push(judged.name);
    index += 1;
  }
  expect(index).toBe(pages.length);
  expect(pages.length).toBeGreaterThanOrEqual(60);
  expect(wrong.length, `wrong of ${pages.length}: ${wrong.join('; ')}`).toBeLessThanOrEqual(1);
});
