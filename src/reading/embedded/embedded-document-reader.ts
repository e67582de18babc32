import { Fault } from '../../faults/fault.ts';
import { pictureFacts } from '../../pictures/describe-picture.ts';
import { MEGAPIXEL } from '../../pictures/picture-job.ts';
import { ChildLost, TooManyWaiting } from '../../supervision/child-lost.ts';
import { FairQueue } from '../../supervision/fair-queue.ts';
import type { Lifecycle } from '../../supervision/lifecycle.ts';
import type { StackWork } from '../../supervision/stack-work.ts';
import type {
  DocumentFile,
  DocumentKind,
  DocumentReader,
  ImageFacts,
  PageShower,
  PageWatch,
  PdfFacts,
  ReadDocument,
  ShownPage,
} from '../document-reader.ts';
import { type OcrEngine, UnreadablePicture } from '../ocr-engine.ts';
import { emptyPage, type PageText } from '../page-text.ts';
import type { PdfPage } from '../pdf/pdf-document.ts';
import type { PdfWorkers } from '../pdf/pdf-workers.ts';
import { UnreadablePdf } from '../pdf/unreadable-pdf.ts';

/** The header of a PDF may be preceded by a little junk. */
const PDF_HEAD_BYTES = 1_024;
/** Scanned pages that wait to be drawn, per stack and in total. */
const MAX_WAITING_PER_STACK = 512;
const MAX_WAITING = 4 * MAX_WAITING_PER_STACK;

/** Reads with PDFium and an OCR engine, both off this thread. */
export class EmbeddedDocumentReader implements DocumentReader, PageShower {
  readonly #pdf: PdfWorkers;
  readonly #ocr: OcrEngine;
  /** Pages that are drawn and not read yet. */
  readonly #scans: FairQueue;

  constructor(parts: { pdf: PdfWorkers; ocr: OcrEngine }) {
    this.#pdf = parts.pdf;
    this.#ocr = parts.ocr;
    this.#scans = new FairQueue({
      // A picture of a page has twelve megabytes and is drawn in a tenth of the time in which it is read: one more is enough.
      runningAlone: parts.ocr.parallel + 1,
      // That of another stack is drawn at once, and has the next turn of OCR.
      capacity: parts.ocr.parallel + 2,
      maxWaiting: MAX_WAITING,
      maxWaitingPerStack: MAX_WAITING_PER_STACK,
    });
  }

  get lifecycle(): Lifecycle {
    return this.#ocr.lifecycle;
  }

  kindOf(bytes: Uint8Array): DocumentKind | undefined {
    const head = headOf(bytes);
    if (head.subarray(0, PDF_HEAD_BYTES).includes('%PDF-')) return 'pdf';
    return pictureFacts(head) === undefined ? undefined : 'image';
  }

  async inspectPdf(file: DocumentFile, signal: AbortSignal): Promise<PdfFacts> {
    return blaming('PDF', file, () => {
      if (this.kindOf(file.bytes) !== 'pdf') throw new UnreadablePdf('damaged');
      return this.#pdf.inspect(file.bytes, workOn(file, signal));
    });
  }

  async inspectImage(file: DocumentFile, signal: AbortSignal): Promise<ImageFacts> {
    signal.throwIfAborted();
    return blaming('image', file, async () => {
      const facts = pictureFacts(headOf(file.bytes));
      if (!facts) throw new UnreadablePicture('is none that is read; send a JPEG, PNG or WEBP');
      const { width = 0, height = 0 } = facts.size ?? {};
      if (width === 0 || height === 0) throw new UnreadablePicture('is damaged; send another copy of it');
      return { format: facts.format, width, height, megapixels: (width * height) / MEGAPIXEL };
    });
  }

  async readPdf(file: DocumentFile, signal: AbortSignal, watch?: PageWatch): Promise<ReadDocument> {
    return blaming('PDF', file, async () => {
      const layers: PdfPage[] = [];
      for await (const page of this.#pdf.read(file.bytes, workOn(file, signal))) layers.push(page);
      if (layers.length === 0) throw new UnreadablePdf('empty');
      const pages = await this.#completed(file, layers, { signal, watch });
      return { pages, ocrUsed: pages.some(({ ocrUsed }) => ocrUsed) };
    });
  }

  async readImage(file: DocumentFile, signal: AbortSignal): Promise<ReadDocument> {
    await this.inspectImage(file, signal);
    return blaming('image', file, async () => {
      const page = await this.#ocr.read({ kind: 'encoded', bytes: file.bytes }, workOn(file, signal));
      return { pages: [page], ocrUsed: true };
    });
  }

  async showPdf(file: DocumentFile, atMost: number, signal: AbortSignal): Promise<readonly ShownPage[]> {
    const { pages: count } = await this.inspectPdf(file, signal);
    return blaming('PDF', file, async () => {
      const shown: ShownPage[] = [];
      for (let page = 0; page < Math.min(count, atMost); page += 1) {
        const one = await this.#pdf.show(file.bytes, page, workOn(file, signal));
        if (one !== undefined) shown.push({ ...one, page: page + 1 });
      }
      return shown;
    });
  }

  /** Runs OCR where needed. At most as many pages at a time as OCR has workers, so that documents take turns. */
  async #completed(
    file: DocumentFile,
    layers: readonly PdfPage[],
    { signal, watch }: { readonly signal: AbortSignal; readonly watch: PageWatch | undefined },
  ): Promise<readonly PageText[]> {
    const pages = layers.map(({ needsOcr, ...page }): PageText | undefined => (needsOcr ? undefined : page));
    const scans = layers.flatMap((layer, index) => (layer.needsOcr ? [{ layer, index }] : []));
    // The first failing page ends the others.
    const ended = new AbortController();
    const work = workOn(file, AbortSignal.any([signal, ended.signal]));
    const tell = async (): Promise<void> => {
      if (pages.includes(undefined)) await watch?.([...pages]);
    };
    const readNext = async (): Promise<void> => {
      for (let scan = scans.shift(); scan; scan = scans.shift()) {
        pages[scan.index] = await this.#readScan(file.bytes, scan, work);
        await tell();
      }
    };
    try {
      await tell();
      await Promise.all(Array.from({ length: this.#ocr.parallel }, readNext));
    } finally {
      ended.abort(new Error('another page failed'));
    }
    return pages.map((page) => page ?? emptyPage);
  }

  async #readScan(
    bytes: Uint8Array,
    { layer, index }: { layer: PdfPage; index: number },
    work: StackWork,
  ): Promise<PageText> {
    using _place = await this.#scans.take(work.stackId, work.signal, work.span);
    const raster = await this.#pdf.draw(bytes, index, work);
    if (!raster) return { text: '', lines: [], ocrUsed: false, isDamaged: true };
    const seen = await this.#ocr.read({ kind: 'raster', raster }, work);
    const { needsOcr: _, ...text } = layer;
    // OCR found nothing but the text layer has letters: a textless picture, or a script OCR does not know.
    return letters(seen) === 0 && letters(layer) > 0 ? { ...text, ocrUsed: true } : seen;
  }
}

function workOn({ stackId, span }: DocumentFile, signal: AbortSignal): StackWork {
  return { stackId, signal, span };
}

function letters({ text }: PageText): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

function headOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Turns errors into faults that name the file. */
async function blaming<Result>(
  what: 'PDF' | 'image',
  { name }: DocumentFile,
  work: () => Promise<Result>,
): Promise<Result> {
  const subject = name === undefined ? `The ${what}` : `The ${what} "${name}"`;
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnreadablePdf || error instanceof UnreadablePicture) {
      throw new Fault('document-unreadable', `${subject} ${error.message}.`, { cause: error });
    }
    if (error instanceof TooManyWaiting) {
      throw new Fault('model-not-ready', `${subject} cannot be read now: too many pages wait. Retry.`, {
        cause: error,
      });
    }
    if (error instanceof ChildLost) {
      throw new Fault('model-not-ready', `${subject} cannot be read now: the reader is away. Retry.`, {
        cause: error,
      });
    }
    throw error;
  }
}
