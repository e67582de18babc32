import { expect, it } from 'vitest';
import { pictures } from '../../../testing/pictures.ts';
import type { StackWork } from '../../supervision/stack-work.ts';
import { Tracer } from '../../telemetry/tracer.ts';
import { emptyPage } from '../page-text.ts';
import { defaultPdfWorkers, PdfWorkers } from '../pdf/pdf-workers.ts';
import { EmbeddedDocumentReader } from './embedded-document-reader.ts';

it('has OCR wait in turn for the stack of a file, in its span', async () => {
  const asked: StackWork[] = [];
  const ocr = {
    lifecycle: { state: 'ready', ready: () => Promise.resolve() } as const,
    parallel: 1,
    read: async (_picture: unknown, work: StackWork) => {
      asked.push(work);
      return emptyPage;
    },
  };
  const reader = new EmbeddedDocumentReader({ pdf: new PdfWorkers(defaultPdfWorkers), ocr });
  const span = new Tracer({ sampleRatio: 1, add: () => {} }).open(undefined, {
    method: 'POST',
    path: '/v1/extract/images',
  });
  const { signal } = new AbortController();
  await reader.readImage({ stackId: 'shop', bytes: await pictures.png(), span }, signal);
  expect(asked).toEqual([{ stackId: 'shop', signal, span }]);
});
