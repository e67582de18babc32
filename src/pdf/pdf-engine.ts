import type { Lifecycle } from '../supervision/lifecycle.ts';

/** HTML to print, and how many pages it may fill. */
export interface PrintJob {
  readonly html: string;
  readonly maxPages: number;
}

/** A finished PDF. */
export interface PrintedDocument {
  readonly bytes: Buffer;
  readonly pages: number;
  /** How many things the HTML refers to were not fetched. */
  readonly blockedReferences: number;
}

/** Something that prints HTML to PDF. It never fetches anything and runs no script. Failure is thrown as a Fault. */
export interface PdfEngine {
  readonly lifecycle: Lifecycle;
  /** The signal ends the work at once, wherever it is. */
  print(job: PrintJob, signal: AbortSignal): Promise<PrintedDocument>;
}
