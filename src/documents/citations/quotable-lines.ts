import type { PageLine } from '../../reading/page-text.ts';
import type { NamedDocument } from '../extractor.ts';
import { findDates } from '../grounded/find-dates.ts';
import { findNumbers } from '../grounded/find-numbers.ts';
import { type FoundValue, overlaps } from '../grounded/found-value.ts';
import { labelTokens } from '../grounded/label-words.ts';
import { plainText } from './plain-text.ts';

/** A line with its parsed values. */
export interface QuotableLine {
  readonly file: number;
  readonly fileName: string;
  readonly page: number;
  readonly line: PageLine;
  readonly labels: readonly string[];
  /** Normalised words. */
  readonly words: readonly string[];
  readonly dates: readonly FoundValue<string>[];
  readonly numbers: readonly FoundValue<number>[];
}

/** The lines of all documents, in order. */
export function quotableLines(
  documents: readonly Pick<NamedDocument, 'name' | 'pages'>[],
): readonly QuotableLine[] {
  return documents.flatMap(({ name, pages }, file) =>
    pages.flatMap(({ lines }, page) =>
      lines.map((line) => {
        const dates = findDates(line.text);
        // The day of a date is not an amount.
        const isApart = (number: FoundValue<number>) => !dates.some((date) => overlaps(date, number));
        return {
          file: file + 1,
          fileName: name,
          page: page + 1,
          line,
          labels: labelTokens(line.text),
          words: line.words.map(({ text }) => plainText(text)),
          dates,
          numbers: findNumbers(line.text).filter(isApart),
        };
      }),
    ),
  );
}
