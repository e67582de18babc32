import { type FieldWords, labelTokens, similarity } from './label-words.ts';
import type { SourceText } from './source-text.ts';

const LINES_AROUND = 1;

/** The lines around positions of a text, in order, up to a number of characters; the first positions matter most. */
export function passageAround(
  source: SourceText,
  positions: readonly number[],
  maxCharacters: number,
): string {
  const wanted = new Set<number>();
  let size = 0;
  for (const position of positions) {
    if (size >= maxCharacters) break;
    const line = lineAt(source, position);
    for (let index = line - LINES_AROUND; index <= line + LINES_AROUND; index++) {
      const length = (source.lines[index]?.text.length ?? 0) + 1;
      if (wanted.has(index) || source.lines[index] === undefined || size + length > maxCharacters) continue;
      wanted.add(index);
      size += length;
    }
  }
  return textOf(source, wanted);
}

/** The lines that speak of what is looked for, with their neighbours, up to a number of characters; the beginning first where nothing does. */
export function passageAbout(
  source: SourceText,
  words: readonly FieldWords[],
  maxCharacters: number,
): string {
  if (source.text.length <= maxCharacters) return source.text;
  const rated = source.lines.map(({ text, start }) => {
    const tokens = labelTokens(text);
    return { start, fit: Math.max(0, ...words.map((field) => similarity(tokens, field))) };
  });
  const positions = rated.toSorted((one, other) => other.fit - one.fit || one.start - other.start);
  return passageAround(
    source,
    positions.map(({ start }) => start),
    maxCharacters,
  );
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
