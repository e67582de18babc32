import type { NamedDocument } from '../extractor.ts';

/** A line of a file. */
export interface SourceLine {
  readonly text: string;
  /** Where it begins in its text. */
  readonly start: number;
  readonly segments: readonly Segment[];
}

/** A run of a line that one value may stand in: wide gaps, bars and leaders end it. */
export interface Segment {
  readonly text: string;
  /** Column in its line. */
  readonly column: number;
}

/** A text in lines. */
export interface SourceText {
  readonly text: string;
  readonly lines: readonly SourceLine[];
}

/** One of the files. Rules read it by itself, so that nothing they find runs into the next. */
export interface SourceFile {
  /** Which of the files, from 1. */
  readonly number: number;
  readonly name: string;
  readonly source: SourceText;
  /** Where it begins where all files stand one after the other, so that places in different files differ. */
  readonly start: number;
}

// A full stop by itself is a dot between values as OCR reads it.
const SEGMENT = /(?:(?!\s{2,}|\t|\||\.{3,}|\*{3,}|_{3,}|-{3,}|={3,}|\s[·•.]\s).)+/g;

/** The text of each document; an empty line stands between pages. */
export function sourceFiles(
  documents: readonly Pick<NamedDocument, 'name' | 'pages'>[],
): readonly SourceFile[] {
  let start = 0;
  return documents.map(({ name, pages }, index) => {
    const source = readSource(pages.map((page) => page.text.trimEnd()).join('\n\n'));
    const file = { number: index + 1, name, source, start };
    start += source.text.length + 1;
    return file;
  });
}

/** The file that a place among all files is in. */
export function fileAt(files: readonly SourceFile[], position: number): SourceFile | undefined {
  return files.findLast(({ start }) => start <= position);
}

/** Cuts a text into lines and segments. */
function readSource(text: string): SourceText {
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
