import type { PageBox, PageWord } from '../../reading/page-text.ts';
import type { Citation } from '../citation.ts';
import { type FieldWords, similarity } from '../grounded/words/label-words.ts';
import { plainText } from './plain-text.ts';
import type { QuotableLine } from './quotable-lines.ts';
import { wordsSpelling } from './spelling.ts';

/** Outweighs any score by words. */
const OWN_FILE_WEIGHT = 2;

export interface Quoting {
  /** The words of the field's name. */
  readonly field: FieldWords;
  /** The likely files of the value; empty if unknown. */
  readonly files: ReadonlySet<number>;
  readonly lines: readonly QuotableLine[];
}

/**
 * Finds a value in the documents. Likely files win, then the line that best matches the field's name. A text that no words spell is
 * searched for again by its letters and digits: it may stick to its label, have gaps, or go on in the lines below.
 */
export function findCitation(value: string | number, quoting: Quoting): Citation | undefined {
  const wanted = typeof value === 'string' ? comparable(value) : [];
  const cited = bestCitation(quoting, (line) => wordsOf({ value, wanted }, line));
  if (cited !== undefined || typeof value === 'number') return cited;
  return bestCitation(quoting, (line) => wordsSpelling(value, line.spelling()));
}

function bestCitation(
  { field, files, lines }: Quoting,
  wordsIn: (line: QuotableLine) => readonly PageWord[] | undefined,
): Citation | undefined {
  let best: { readonly citation: Citation; readonly fit: number } | undefined;
  for (const candidate of lines) {
    const words = wordsIn(candidate);
    if (words === undefined) continue;
    const fit = similarity(candidate.labels, field) + (files.has(candidate.file) ? OWN_FILE_WEIGHT : 0);
    if (best === undefined || fit > best.fit) best = { citation: citationOf(candidate, words), fit };
  }
  return best?.citation;
}

/** The words of a line that spell the value. */
function wordsOf(
  { value, wanted }: { readonly value: string | number; readonly wanted: readonly string[] },
  line: QuotableLine,
): readonly PageWord[] | undefined {
  if (typeof value === 'number') {
    return writtenAt(
      line,
      line.numbers.find((number) => number.value === value),
    );
  }
  const run = wordRun(line, wanted);
  if (run !== undefined || !isDate(value)) return run;
  return writtenAt(
    line,
    line.dates.find((found) => found.value === value.slice(0, 'YYYY-MM-DD'.length)),
  );
}

function isDate(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}(?:T.*)?$/.test(value);
}

function writtenAt(
  line: QuotableLine,
  span: { readonly start: number; readonly end: number } | undefined,
): readonly PageWord[] | undefined {
  return span === undefined
    ? undefined
    : wordRun(line, comparable(line.line.text.slice(span.start, span.end)));
}

/** Consecutive words that spell a text, ignoring punctuation around them. */
function wordRun({ words, line }: QuotableLine, wanted: readonly string[]): readonly PageWord[] | undefined {
  const [first] = wanted;
  if (first === undefined) return undefined;
  for (let start = words.indexOf(first); start >= 0; start = words.indexOf(first, start + 1)) {
    if (wanted.every((word, index) => words[start + index] === word)) {
      return line.words.slice(start, start + wanted.length);
    }
  }
  return undefined;
}

function comparable(text: string): readonly string[] {
  return text
    .split(/\s+/)
    .map(plainText)
    .filter((word) => word !== '');
}

function citationOf({ file, fileName, page }: QuotableLine, words: readonly PageWord[]): Citation {
  return {
    file,
    file_name: fileName,
    page,
    quote: words.map(({ text }) => text).join(' '),
    box: around(words.map(({ box }) => box)),
  };
}

function around(boxes: readonly PageBox[]): PageBox {
  return {
    x0: Math.min(...boxes.map(({ x0 }) => x0)),
    y0: Math.min(...boxes.map(({ y0 }) => y0)),
    x1: Math.max(...boxes.map(({ x1 }) => x1)),
    y1: Math.max(...boxes.map(({ y1 }) => y1)),
  };
}
