import { fileBlock } from '../file-block.ts';
import { type FieldWords, labelTokens, similarity } from './label-words.ts';
import { fileAt, type SourceFile, type SourceText } from './source-text.ts';

const LINES_AROUND = 1;

/** All of the files as a model reads it. */
export function wholeText(files: readonly SourceFile[]): string {
  return shown(
    files,
    files.map(({ source }) => source.text),
  );
}

/** The lines around places among all files, in order, up to a number of characters; the first places matter most. */
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

/** Of every file the lines that speak of what is looked for, with their neighbours; the beginning where nothing does. */
export function passagesAbout(
  files: readonly SourceFile[],
  words: readonly FieldWords[],
  { maxCharacters, first }: { readonly maxCharacters: number; readonly first: ReadonlySet<number> },
): readonly string[] {
  const shares = sharesOf(files, { maxCharacters, first });
  return files.map((file) => passageAbout(file.source, words, shares.get(file) ?? 0));
}

/** Each file in a block of its own where there are several; those of which nothing is shown have none. */
function shown(files: readonly SourceFile[], texts: readonly string[]): string {
  const total = files.length;
  if (total === 1) return texts.join('');
  return files
    .map(({ number, name }, index) => ({ number, total, name, text: texts[index] ?? '' }))
    .filter(({ text }) => text !== '')
    .map(fileBlock)
    .join('\n\n');
}

/** How much is shown of each file: of those that come first as much as there is room for, and short ones whole. */
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

/** Adds the lines around a place as far as there is room, and tells how much they take. */
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
  const after = lines.findIndex(({ start }) => start > position);
  return after < 0 ? lines.length - 1 : after - 1;
}

function textOf({ lines }: SourceText, wanted: ReadonlySet<number>): string {
  return lines
    .filter((_, index) => wanted.has(index))
    .map(({ text }) => text)
    .join('\n');
}
