import { Fault } from '../../src/faults/fault.ts';
import type {
  DocumentFile,
  DocumentKind,
  DocumentReader,
  ImageFacts,
  PdfFacts,
  ReadDocument,
} from '../../src/reading/document-reader.ts';
import { emptyPage, type PageLine } from '../../src/reading/page-text.ts';

/**
 * Reads files that describe themselves: `pdf 3: text` is a PDF of three pages, `image 5: text` a PNG of five megapixels, `image
 * 5: GIF` a GIF, `pdf broken` an unreadable one. Records what was read.
 */
export class FakeDocumentReader implements DocumentReader {
  readonly read: string[] = [];
  readonly lifecycle = { state: 'ready' as const, ready: async () => {} };
  /** Awaited before reading. */
  hold: (signal: AbortSignal) => Promise<void> = async () => {};

  kindOf(bytes: Uint8Array): DocumentKind | undefined {
    const [kind] = textOf(bytes).split(' ');
    return kind === 'pdf' || kind === 'image' ? kind : undefined;
  }

  async inspectPdf(file: DocumentFile): Promise<PdfFacts> {
    return { pages: sizeOf(file) };
  }

  async inspectImage(file: DocumentFile): Promise<ImageFacts> {
    const megapixels = sizeOf(file);
    const format = textOf(file.bytes).includes('GIF') ? 'GIF' : 'PNG';
    return { format, width: 1000, height: megapixels * 1000, megapixels };
  }

  readPdf(file: DocumentFile, signal: AbortSignal): Promise<ReadDocument> {
    return this.#read(file, false, signal);
  }

  readImage(file: DocumentFile, signal: AbortSignal): Promise<ReadDocument> {
    return this.#read(file, true, signal);
  }

  async #read(file: DocumentFile, ocrUsed: boolean, signal: AbortSignal): Promise<ReadDocument> {
    this.read.push(file.name ?? '');
    await this.hold(signal);
    signal.throwIfAborted();
    const text =
      textOf(file.bytes)
        .trimEnd()
        .split(/: (.*)/s)[1] ?? '';
    return { pages: [{ ...emptyPage, text, lines: text.split('\n').map(lineOf), ocrUsed }], ocrUsed };
  }
}

/** A line of adjacent words. */
function lineOf(text: string): PageLine {
  const box = { x0: 0, y0: 0, x1: 1, y1: 1 };
  return { text, box, words: text.split(/\s+/).map((word) => ({ text: word, box, confidence: 1 })) };
}

function sizeOf({ bytes, name }: DocumentFile): number {
  const size = Number(textOf(bytes).split(/[ :]/)[1]);
  if (Number.isNaN(size)) throw new Fault('document-unreadable', `The file "${name}" is damaged.`);
  return size;
}

// The rest is padding, megabytes of it.
const READ_BYTES = 200;

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, READ_BYTES)).toString('utf8');
}
