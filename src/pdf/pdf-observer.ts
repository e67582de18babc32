/** How a document ended. */
export type PrintOutcome =
  | 'printed'
  | 'too-many-pages'
  | 'crashed'
  | 'timeout'
  | 'refused'
  | 'left'
  | 'unavailable';

/** Why a browser was ended or lost. */
export type BrowserEndReason = 'crashed' | 'stuck' | 'memory' | 'recycled' | 'alone' | 'stopped';

/** What is told of printing, for logs and metrics. */
export interface PdfObserver {
  documentEnded(outcome: PrintOutcome): void;
  /** Seconds of one step of a document that was printed. */
  stepTook(step: 'layout' | 'print', seconds: number): void;
  pagesPrinted(pages: number): void;
  /** The rung is what protects the system from the browser. */
  browserStarted(rung: string): void;
  browserEnded(reason: BrowserEndReason): void;
  /** A page was ended because the browser used too much memory. */
  pageKilled(): void;
}
