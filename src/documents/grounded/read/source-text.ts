import type { NamedDocument } from '../../extractor.ts';
import { readingOrder } from './page-columns.ts';
import { type SourcePage, sourcePage } from './source-page.ts';

/** A line or a part of it. */
export interface LinePart {
  readonly text: string;
  /** Offset in the text. */
  readonly start: number;
}

export interface SourceLine extends LinePart {
  readonly segments: readonly Segment[];
}

/** A run of text that may hold one value; wide gaps, bars and leaders end it. */
export interface Segment {
  readonly text: string;
  readonly column: number;
}

/** A text split into lines, in the order in which they are read. */
export interface SourceText {
  readonly text: string;
  readonly lines: readonly SourceLine[];
}

/** One of the files. Rules read each separately, so that matches do not span files. */
export interface SourceFile {
  /** From 1. */
  readonly number: number;
  readonly name: string;
  readonly source: SourceText;
  readonly pages: readonly SourcePage[];
  /** Offset in the concatenation of all files, so that offsets of different files differ. */
  readonly start: number;
}

const PAGE_BREAK = '\n\n';
/** A longer line is read as several: some rules take time by the square of a line's length. */
const MOST_LINE_CHARACTERS = 500;
// OCR reads a dot between values as a lone full stop.
const SEPARATOR = /\s{2,}|\t|\||\.{3,}|\*{3,}|_{3,}|-{3,}|={3,}|\s[·•.](?=\s)|$/g;

/** The text of each document; pages are separated by an empty line. */
export function sourceFiles(
  documents: readonly Pick<NamedDocument, 'name' | 'pages'>[],
): readonly SourceFile[] {
  let start = 0;
  return documents.map(({ name, pages: read }, index) => {
    let offset = 0;
    const pages = read.map((page) => {
      const placed = sourcePage(page, offset);
      offset += placed.text.length + PAGE_BREAK.length;
      return placed;
    });
    const source = readSource(pages.map(({ text }) => text).join(PAGE_BREAK));
    const file = { number: index + 1, name, source, pages, start };
    start += source.text.length + 1;
    return file;
  });
}

/** The file at an offset across all files. */
export function fileAt(files: readonly SourceFile[], position: number): SourceFile | undefined {
  return files.findLast(({ start }) => start <= position);
}

/** Splits a text into lines and segments. */
function readSource(text: string): SourceText {
  let start = 0;
  const printed = text.split('\n').flatMap((line) => {
    const parts = partsOf(line).map(({ part, from }) => ({ text: part, start: start + from }));
    start += line.length + 1;
    return parts;
  });
  const lines = readingOrder(printed).map((part) => ({ ...part, segments: segmentsOf(part.text) }));
  return { text, lines };
}

/** The parts of a line that is too long, cut behind a space where there is one. */
function partsOf(line: string): readonly { readonly part: string; readonly from: number }[] {
  const parts = [];
  let from = 0;
  while (line.length - from > MOST_LINE_CHARACTERS) {
    const most = from + MOST_LINE_CHARACTERS;
    const space = line.lastIndexOf(' ', most - 1);
    const end = space > from ? space + 1 : most;
    parts.push({ part: line.slice(from, end), from });
    from = end;
  }
  return [...parts, { part: line.slice(from), from }];
}

function segmentsOf(line: string): readonly Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  for (const { 0: separator, index } of line.matchAll(SEPARATOR)) {
    const part = line.slice(from, index);
    const text = part.trim();
    // A checkbox belongs to its text; a bullet does not.
    if (text !== '' && !/^[·•.|:;,-]+$/.test(text))
      segments.push({ text, column: from + part.length - part.trimStart().length });
    from = index + separator.length;
  }
  return segments;
}
