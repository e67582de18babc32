import type { PageLine } from '../../reading/page-text.ts';
import type { NamedDocument } from '../extractor.ts';
import { labelTokens } from '../grounded/words/label-words.ts';
import { readContext } from '../values/document-context.ts';
import { findDates } from '../values/find-dates.ts';
import { findNumbers } from '../values/find-numbers.ts';
import { type FoundValue, overlaps } from '../values/found-value.ts';
import { plainText } from './plain-text.ts';
import { type Spelling, spellingOf } from './spelling.ts';

/** Lines of a text that is cited as a whole. */
const MOST_LINES = 3;

/** A line with its parsed values. */
export interface QuotableLine {
  readonly file: number;
  readonly fileName: string;
  readonly page: number;
  readonly line: PageLine;
  readonly labels: readonly string[];
  /** Normalised words. */
  readonly words: readonly string[];
  /** With the two lines below, for texts that stick to a label or go on below. */
  readonly spelling: () => Spelling;
  readonly dates: readonly FoundValue<string>[];
  readonly numbers: readonly FoundValue<number>[];
}

/** The lines of all documents, in order. */
export function quotableLines(
  documents: readonly Pick<NamedDocument, 'name' | 'pages'>[],
): readonly QuotableLine[] {
  return documents.flatMap(({ name, pages }, file) => {
    const { dateOrder, decimalSign } = readContext(pages.map(({ text }) => text).join('\n'));
    return pages.flatMap(({ lines }, page) =>
      lines.map((line, order) => {
        let spelling: Spelling | undefined;
        const dates = findDates(line.text, dateOrder);
        // The day of a date is not an amount.
        const isApart = (number: FoundValue<number>) => !dates.some((date) => overlaps(date, number));
        return {
          file: file + 1,
          fileName: name,
          page: page + 1,
          line,
          labels: labelTokens(line.text),
          words: line.words.map(({ text }) => plainText(text)),
          spelling: () => {
            spelling ??= spellingOf(lines.slice(order, order + MOST_LINES));
            return spelling;
          },
          dates,
          numbers: findNumbers(line.text, decimalSign).filter(isApart),
        };
      }),
    );
  });
}
