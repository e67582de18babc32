import { isRecord } from '../lib/json-record.ts';

/** A rectangle on a page as it is shown, in fractions of its width and height, from the top left corner. */
export interface PageBox {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** A word and where it stands. */
export interface PageWord {
  readonly text: string;
  readonly box: PageBox;
  /** How sure OCR was of it, from 0 to 1; 1 for a text layer. */
  readonly confidence: number;
}

/** A row of a page as it is printed in `PageText.text`, with the words it was made from. */
export interface PageLine {
  readonly text: string;
  readonly box: PageBox;
  readonly words: readonly PageWord[];
}

/** What stands on one page, in reading order. */
export interface PageText {
  /** Rows stay rows, and columns stay columns: words stand on a grid of characters. */
  readonly text: string;
  readonly lines: readonly PageLine[];
  readonly ocrUsed: boolean;
  /** The page could not be opened, and is empty here, while others of its document are whole. */
  readonly isDamaged: boolean;
}

/** A page that says nothing. */
export const emptyPage: PageText = { text: '', lines: [], ocrUsed: false, isDamaged: false };

/** Whether this is a page, as far as an answer from another process has to be looked at. */
export function isPageText(value: unknown): value is PageText {
  return isRecord(value) && typeof value.text === 'string' && Array.isArray(value.lines);
}
