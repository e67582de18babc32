import type { Lifecycle } from '../supervision/lifecycle.ts';

/** HTML to print, and its page limit. */
export interface PrintJob {
  readonly html: string;
  readonly maxPages: number;
  /** Whether work of others goes before it where cores are scarce. */
  readonly standsBack?: boolean;
}

export interface PrintedDocument {
  readonly bytes: Buffer;
  readonly pages: number;
  /** References in the HTML that were not fetched. */
  readonly blockedReferences: number;
}

/** Prints HTML to PDF. Never fetches anything and runs no script. Failures are faults. */
export interface PdfEngine {
  readonly lifecycle: Lifecycle;
  /** Aborting the signal stops the work at once. */
  print(job: PrintJob, signal: AbortSignal): Promise<PrintedDocument>;
}
