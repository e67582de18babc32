import type { Lifecycle } from '../supervision/lifecycle.ts';
import type { PageText } from './page-text.ts';

/** A file to read, whose it is, and its name for messages where it has one. */
export interface DocumentFile {
  /** Where files wait to be read, stacks take turns. */
  readonly stackId: string;
  readonly bytes: Uint8Array;
  readonly name?: string | undefined;
}

/** What a PDF costs to read, known without reading it. */
export interface PdfFacts {
  readonly pages: number;
}

/** What an image costs to read, known without decoding it. */
export interface ImageFacts {
  readonly format: string;
  /** As it is shown, after the camera's orientation. */
  readonly width: number;
  readonly height: number;
  readonly megapixels: number;
}

/** What was read. */
export interface ReadDocument {
  readonly pages: readonly PageText[];
  readonly ocrUsed: boolean;
}

/**
 * Told of the pages of a document, `undefined` for those that OCR has still to read: once before it begins, and after each
 * page while others are missing. What it throws ends the reading.
 */
export type PageWatch = (pages: readonly (PageText | undefined)[]) => Promise<void>;

/** What a file is by its content, whatever its name or declared type. */
export type DocumentKind = 'pdf' | 'image';

/**
 * Reads PDFs and images into pages of text. A file that cannot be read is the fault `document-unreadable`; OCR that
 * is not there is `model-not-ready`. Inspecting never starts OCR, so that limits can be judged before any of it.
 */
export interface DocumentReader {
  /** The state of OCR, which only pages without usable text need. */
  readonly lifecycle: Lifecycle;
  /** Undefined: neither a PDF nor a picture in a format that is read. */
  kindOf(bytes: Uint8Array): DocumentKind | undefined;
  inspectPdf(file: DocumentFile, signal: AbortSignal): Promise<PdfFacts>;
  inspectImage(file: DocumentFile, signal: AbortSignal): Promise<ImageFacts>;
  readPdf(file: DocumentFile, signal: AbortSignal, watch?: PageWatch): Promise<ReadDocument>;
  readImage(file: DocumentFile, signal: AbortSignal): Promise<ReadDocument>;
}
