import type { NamedDocument } from '../extractor.ts';

/** A line of the documents. */
export interface SourceLine {
  readonly text: string;
  /** Where it begins in the whole text. */
  readonly start: number;
  readonly segments: readonly Segment[];
}

/** A run of a line that one value may stand in: wide gaps, bars and leaders end it. */
export interface Segment {
  readonly text: string;
  /** Column in its line. */
  readonly column: number;
}

/** All documents as one text, in lines. */
export interface SourceText {
  readonly text: string;
  readonly lines: readonly SourceLine[];
}

// A full stop by itself is a dot between values as OCR reads it.
const SEGMENT = /(?:(?!\s{2,}|\t|\||\.{3,}|\*{3,}|_{3,}|-{3,}|={3,}|\s[·•.]\s).)+/g;

/** Joins the pages of all documents; an empty line stands between pages. */
export function sourceText(documents: readonly Pick<NamedDocument, 'pages'>[]): SourceText {
  const pages = documents.flatMap((document) => document.pages.map((page) => page.text.trimEnd()));
  return readSource(pages.join('\n\n'));
}

/** Cuts a text into lines and segments. */
export function readSource(text: string): SourceText {
  let start = 0;
  const lines = text.split('\n').map((line) => {
    const read = { text: line, start, segments: segmentsOf(line) };
    start += line.length + 1;
    return read;
  });
  return { text, lines };
}

function segmentsOf(line: string): readonly Segment[] {
  return Array.from(line.matchAll(SEGMENT)).flatMap((match) => {
    const text = match[0].trim();
    const column = match.index + match[0].length - match[0].trimStart().length;
    // A checkbox and its text are one, and a bullet is none of the text.
    return text === '' || /^[·•.|:;,-]+$/.test(text) ? [] : [{ text, column }];
  });
}
