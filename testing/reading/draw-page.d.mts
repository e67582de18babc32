import type { LetterLanguage } from './page-texts.mjs';

/** A page to draw, and the expected text. */
export interface DrawnPage {
  readonly svg: string;
  readonly lines: readonly string[];
  readonly rows: readonly string[];
}

export function drawPage(options: {
  readonly language: LetterLanguage;
  readonly random: () => number;
  readonly font?: string;
  readonly size?: number;
  readonly proseLines?: number;
}): DrawnPage;
