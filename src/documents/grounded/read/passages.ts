import { fileBlock } from '../../file-block.ts';
import { type FieldWords, labelTokens, similarity } from '../words/label-words.ts';
import { fileAt, type SourceFile, type SourceText } from './source-text.ts';

const LINES_AROUND = 1;

/** The full text of all files, as shown to the model. */
export function wholeText(files: readonly SourceFile[]): string {
  return shown(
    files,
    files.map(({ source }) => source.text),
  );
}

/** Lines around positions, in order, up to a number of characters; earlier positions have priority. */
export function passageAround(
  files: readonly SourceFile[],
  positions: readonly number[],
  maxCharacters: number,
): string {
  const wanted = new Map<SourceFile, Set<number>>();
  let left = maxCharacters;
  for (const position of positions) {
    const file = fileAt(files, position);
    if (left <= 0 || file === undefined) break;
    const lines = wanted.get(file) ?? new Set();
    wanted.set(file, lines);
    left -= addLines(lines, { ...file, position: position - file.start, left });
  }
  const texts = files.map((file) => textOf(file.source, wanted.get(file) ?? new Set()));
  return shown(files, texts);
}

/** From every file, lines that mention the words, with their neighbours; the beginning if there are none. */
export function passagesAbout(
  files: readonly SourceFile[],
  words: readonly FieldWords[],
  { maxCharacters, first }: { readonly maxCharacters: number; readonly first: ReadonlySet<number> },
): readonly string[] {
  const shares = sharesOf(files, { maxCharacters, first });
  return files.map((file) => passageAbout(file.source, words, shares.get(file) ?? 0));
}

/** Labels each file if there are several; files without text are omitted. */
function shown(files: readonly SourceFile[], texts: readonly string[]): string {
  const total = files.length;
  if (total === 1) return texts.join('');
  return files
    .map(({ number, name }, index) => ({ number, total, name, text: texts[index] ?? '' }))
    .filter(({ text }) => text !== '')
    .map(fileBlock)
    .join('\n\n');
}

/** How much of each file is shown: as much as fits of those listed first, and short files whole. */
function sharesOf(
  files: readonly SourceFile[],
  { maxCharacters, first }: { readonly maxCharacters: number; readonly first: ReadonlySet<number> },
): ReadonlyMap<SourceFile, number> {
  const isFirst = ({ number }: SourceFile) => first.has(number);
  const shares = new Map<SourceFile, number>();
  let left = maxCharacters;
  for (const group of [files.filter(isFirst), files.filter((file) => !isFirst(file))]) {
    const shortestFirst = group.toSorted((one, other) => lengthOf(one) - lengthOf(other));
    for (const [order, file] of shortestFirst.entries()) {
      const share = Math.min(lengthOf(file), Math.floor(left / (group.length - order)));
      shares.set(file, share);
      left -= share;
    }
  }
  return shares;
}

function lengthOf({ source }: SourceFile): number {
  return source.text.length;
}

function passageAbout(source: SourceText, words: readonly FieldWords[], maxCharacters: number): string {
  if (source.text.length <= maxCharacters) return source.text;
  const rated = source.lines.map(({ text, start }) => {
    const tokens = labelTokens(text);
    return { start, fit: Math.max(0, ...words.map((field) => similarity(tokens, field))) };
  });
  const lines = new Set<number>();
  let left = maxCharacters;
  for (const { start } of rated.toSorted((one, other) => other.fit - one.fit || one.start - other.start)) {
    if (left <= 0) break;
    left -= addLines(lines, { source, position: start, left });
  }
  return textOf(source, lines);
}

/** Adds the lines around a position while there is room; returns their size. */
function addLines(
  lines: Set<number>,
  {
    source,
    position,
    left,
  }: { readonly source: SourceText; readonly position: number; readonly left: number },
): number {
  const middle = lineAt(source, position);
  let size = 0;
  for (let index = middle - LINES_AROUND; index <= middle + LINES_AROUND; index++) {
    const line = source.lines[index];
    if (line === undefined || lines.has(index) || size + line.text.length + 1 > left) continue;
    lines.add(index);
    size += line.text.length + 1;
  }
  return size;
}

function lineAt({ lines }: SourceText, position: number): number {
  return lines.findIndex(({ start, text }) => start <= position && position <= start + text.length);
}

function textOf({ lines }: SourceText, wanted: ReadonlySet<number>): string {
  return lines
    .filter((_, index) => wanted.has(index))
    .map(({ text }) => text)
    .join('\n');
}
