import type { Lifecycle } from '../supervision/lifecycle.ts';
import type { SpanParent } from '../telemetry/request-trace.ts';
import type { PageText } from './page-text.ts';

/** A file to read, its stack, and its name for messages if it has one. */
export interface DocumentFile {
  /** Files waiting to be read take turns by stack. */
  readonly stackId: string;
  readonly bytes: Uint8Array;
  readonly name?: string | undefined;
  /** Waits for a reader become parts of it. Absent: the reading is not traced. */
  readonly span?: SpanParent | undefined;
}

/** The size of a PDF, known without reading it. */
export interface PdfFacts {
  readonly pages: number;
}

/** The size of an image, known without decoding it. */
export interface ImageFacts {
  readonly format: string;
  /** After EXIF orientation. */
  readonly width: number;
  readonly height: number;
  readonly megapixels: number;
}

export interface ReadDocument {
  readonly pages: readonly PageText[];
  readonly ocrUsed: boolean;
}

/**
 * Called with the pages of a document, `undefined` for pages OCR has not read yet: once before OCR starts, then after each page
 * until all are there. If it throws, reading stops.
 */
export type PageWatch = (pages: readonly (PageText | undefined)[]) => Promise<void>;

/** Detected by content, not by name or declared type. */
export type DocumentKind = 'pdf' | 'image';

/**
 * Reads PDFs and images into pages of text. Throws `document-unreadable`, or `model-not-ready` if OCR is not available.
 * Inspecting never starts OCR, so that limits can be checked first.
 */
export interface DocumentReader {
  /** The state of OCR, which only pages without usable text need. */
  readonly lifecycle: Lifecycle;
  /** Undefined if it is neither a PDF nor a supported picture. */
  kindOf(bytes: Uint8Array): DocumentKind | undefined;
  inspectPdf(file: DocumentFile, signal: AbortSignal): Promise<PdfFacts>;
  inspectImage(file: DocumentFile, signal: AbortSignal): Promise<ImageFacts>;
  readPdf(file: DocumentFile, signal: AbortSignal, watch?: PageWatch): Promise<ReadDocument>;
  readImage(file: DocumentFile, signal: AbortSignal): Promise<ReadDocument>;
}

/** A page as people see it. */
export interface ShownPage {
  /** From 1. */
  readonly page: number;
  readonly width: number;
  readonly height: number;
  readonly png: Uint8Array;
}

/** Draws the pages of a PDF for people. Throws `document-unreadable`. */
export interface PageShower {
  /** The first pages, at most so many; without those that cannot be opened. */
  showPdf(file: DocumentFile, atMost: number, signal: AbortSignal): Promise<readonly ShownPage[]>;
}
