/** The result of a document. */
export type PrintOutcome =
  | 'printed'
  | 'too-many-pages'
  | 'crashed'
  | 'timeout'
  | 'refused'
  | 'left'
  | 'unavailable';

/** Why a browser ended. */
export type BrowserEndReason = 'crashed' | 'stuck' | 'memory' | 'recycled' | 'idle' | 'alone' | 'stopped';

/** Events of printing, for logs and metrics. */
export interface PdfObserver {
  documentEnded(outcome: PrintOutcome): void;
  /** Seconds of one step of a printed document. */
  stepTook(step: 'layout' | 'print', seconds: number): void;
  pagesPrinted(pages: number): void;
  /** The rung names the browser's protection. */
  browserStarted(rung: string): void;
  browserEnded(reason: BrowserEndReason): void;
  /** A page was killed because the browser used too much memory. */
  pageKilled(): void;
}
