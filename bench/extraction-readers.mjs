// Ways from a document's text to the pages given to extraction.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { usePageFonts } from '../testing/reading/page-fonts.mjs';
import { picture, scanPdf, textPdf } from './extraction-files.mjs';
import { openOcrPeers } from './ocr-peers.mjs';

const cache = fileURLToPath(new URL('../.cache/', import.meta.url));
const folder = join(cache, 'bench-extraction');
const never = new AbortController().signal;
const FETCH_MS = 120_000;
/** A shared machine may take minutes per page; only CPU time is measured. */
const PAGE_MS = 600_000;

/** The text itself, as if read without mistakes. */
export const plainReader = {
  name: 'text',
  read: async (documents) => documents.map(({ text }) => [{ text, lines: [] }]),
};

/** The gateway's own reader, over text PDFs, scans in PDFs, and pictures. */
export async function openOwnReaders() {
  mkdirSync(folder, { recursive: true });
  usePageFonts(folder);
  const { defaultPdfWorkers, PdfWorkers } = await import('../dist/reading/pdf/pdf-workers.js');
  const { EmbeddedDocumentReader } = await import('../dist/reading/embedded/embedded-document-reader.js');
  const { EmbeddedOcr } = await import('../dist/reading/ocr/embedded-ocr.js');
  const pdf = new PdfWorkers(defaultPdfWorkers);
  const ocr = new EmbeddedOcr({ files: await ocrModel(), threads: 1, pageMs: PAGE_MS });
  const reader = new EmbeddedDocumentReader({ pdf, ocr });
  const pagesOf = (read, file) => async (documents) => {
    const pages = [];
    for (const document of documents)
      pages.push((await read({ stackId: 'bench', bytes: await file(document) }, never)).pages);
    return pages;
  };
  const readPdf = reader.readPdf.bind(reader);
  const readers = [
    { name: 'text PDF', read: pagesOf(readPdf, ({ text }) => textPdf(text)) },
    { name: 'scan in a PDF', read: pagesOf(readPdf, async ({ text }) => scanPdf(await picture(text))) },
    { name: 'picture', read: pagesOf(reader.readImage.bind(reader), ({ text }) => picture(text)) },
  ];
  return { reader, readers, close: () => Promise.all([pdf.stop(never), ocr.stop(never)]) };
}

async function ocrModel() {
  const { pathOf } = await import('../dist/catalogue/installed-model.js');
  const { ModelStore } = await import('../dist/catalogue/model-store.js');
  const { ocrFiles } = await import('../dist/reading/ocr/ocr-files.js');
  const store = new ModelStore({ dataDir: join(cache, 'ocr-models'), environment: process.env });
  const model = await store.install('pp-ocrv6-small', { signal: AbortSignal.timeout(FETCH_MS) });
  return ocrFiles((role) => pathOf(model, role));
}

/** Other readers of pictures, followed by the same rules. Without Docling: its models come from a hub only. */
export function openPeerReaders() {
  return openOcrPeers(cache).map(({ name, read }) => ({
    name: `${name}, picture`,
    read: async (documents) => {
      const pages = await Promise.all(
        documents.map(async ({ name: file, text, language }) => {
          const path = join(folder, `${file}.jpg`);
          writeFileSync(path, await picture(text));
          return { path, language };
        }),
      );
      const results = await read(pages);
      const cpuSeconds = results.reduce((sum, result) => sum + result.cpuSeconds, 0);
      return Object.assign(
        results.map(({ text }) => [{ text, lines: [] }]),
        { cpuSeconds },
      );
    },
  }));
}
