import { isRecord } from '../lib/json-record.ts';

/** A rectangle on the displayed page, in fractions of its width and height from the top left. */
export interface PageBox {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

export interface PageWord {
  readonly text: string;
  readonly box: PageBox;
  /** OCR confidence from 0 to 1; 1 for a text layer. */
  readonly confidence: number;
}

/** A row of `PageText.text`, with its words. */
export interface PageLine {
  readonly text: string;
  readonly box: PageBox;
  readonly words: readonly PageWord[];
  /**
   * Where the words stand if the page is turned upright and level: x0, y0, x1 and y1 of each in turn, y downwards, in the unit of
   * the page's source. Absent if unknown.
   */
  readonly places?: Float32Array;
}

/** The text of one page, in reading order. */
export interface PageText {
  /** On a character grid that preserves rows and columns. */
  readonly text: string;
  readonly lines: readonly PageLine[];
  readonly ocrUsed: boolean;
  /** The page could not be opened and is empty; other pages may be fine. */
  readonly isDamaged: boolean;
}

export const emptyPage: PageText = { text: '', lines: [], ocrUsed: false, isDamaged: false };

/** Shallow check of an answer from another process. */
export function isPageText(value: unknown): value is PageText {
  return isRecord(value) && typeof value.text === 'string' && Array.isArray(value.lines);
}
