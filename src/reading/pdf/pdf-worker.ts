import { workerData } from 'node:worker_threads';
import { encodePng } from '../../pictures/encode-png.ts';
import { Moved, serveRequests } from '../../supervision/serve-requests.ts';
import type { Raster } from '../ocr-engine.ts';
import { PdfDocument, type PdfPage } from './pdf-document.ts';
import { type PdfWorkerSettings, parsePdfRequest, parsePdfWorkerSettings } from './pdf-request.ts';
import { Pdfium } from './pdfium.ts';
import { samplePdf } from './sample-pdf.ts';
import { UnreadablePdf } from './unreadable-pdf.ts';

/** WebAssembly memory never shrinks; a larger instance is replaced. */
const KEPT_MEMORY_BYTES = 96 * 2 ** 20;

/** Serves requests with one PDFium, replaced after any failure that may have damaged it. */
class PdfService {
  readonly #settings: PdfWorkerSettings;
  #pdfium: Pdfium | undefined;

  constructor(settings: PdfWorkerSettings) {
    this.#settings = settings;
  }

  /** Reads and draws a page, because the first time takes ten times as long: most of it is compiling. */
  async warmUp(): Promise<void> {
    const bytes = samplePdf();
    for await (const _pages of this.#read(bytes));
    await this.#with(bytes, (document) => document.drawPage(0));
  }

  handle(payload: unknown): unknown {
    const request = parsePdfRequest(payload);
    switch (request.operation) {
      case 'inspect':
        return this.#with(request.bytes, (document) => ({ pages: document.pageCount }));
      case 'read':
        return this.#read(request.bytes);
      case 'draw':
        return this.#with(request.bytes, (document) => moved(document.drawPage(request.page)));
      case 'show':
        return this.#with(request.bytes, (document) => shown(document.showPage(request.page)));
    }
  }

  async *#read(bytes: Uint8Array): AsyncGenerator<readonly PdfPage[]> {
    const pdfium = await this.#healthy();
    const document = this.#guarded(() => PdfDocument.open(pdfium, bytes));
    let spentMs = 0;
    try {
      for (let index = 0; index < document.pageCount; index += 1) {
        const startedMs = performance.now();
        const page = this.#guarded(() => document.readPage(index));
        spentMs += performance.now() - startedMs;
        if (spentMs > this.#settings.maxDocumentMs) throw this.#spoiled(new UnreadablePdf('costly'));
        yield [page];
      }
    } finally {
      if (this.#pdfium === pdfium) document.close();
      this.#dropLarge();
    }
  }

  async #with<Result>(bytes: Uint8Array, use: (document: PdfDocument) => Result): Promise<Result> {
    const pdfium = await this.#healthy();
    return this.#guarded(() => {
      const document = PdfDocument.open(pdfium, bytes);
      const result = use(document);
      document.close();
      this.#dropLarge();
      return result;
    });
  }

  /** A trap leaves PDFium's memory in an unknown state, so the instance is dropped. */
  #guarded<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      if (error instanceof UnreadablePdf && error.code !== 'costly') throw error;
      throw this.#spoiled(error instanceof UnreadablePdf ? error : new UnreadablePdf('costly', error));
    }
  }

  #spoiled(error: UnreadablePdf): UnreadablePdf {
    this.#pdfium = undefined;
    return error;
  }

  #dropLarge(): void {
    if ((this.#pdfium?.memoryBytes ?? 0) > KEPT_MEMORY_BYTES) this.#pdfium = undefined;
  }

  async #healthy(): Promise<Pdfium> {
    this.#pdfium ??= await Pdfium.open(this.#settings.maxMemoryBytes);
    return this.#pdfium;
  }
}

function moved(raster: Raster | undefined): unknown {
  return raster && new Moved(raster, raster.data.buffer instanceof ArrayBuffer ? [raster.data.buffer] : []);
}

/** As a PNG, which is made here because it would hold up other requests there. */
function shown(raster: Raster | undefined): unknown {
  return raster && { width: raster.width, height: raster.height, png: encodePng(raster) };
}

await serveRequests(async () => {
  const service = new PdfService(parsePdfWorkerSettings(workerData));
  await service.warmUp();
  return service;
});
