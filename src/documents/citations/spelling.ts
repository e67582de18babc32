import type { PageLine, PageWord } from '../../reading/page-text.ts';
import { withoutAccents } from '../values/month-names.ts';

/** The letters and digits of some lines, without what stands between them. */
export interface Spelling {
  readonly letters: string;
  readonly words: readonly PageWord[];
  /** Where a run of letters and digits begins, and the number of its word; at last the end of all. */
  readonly runs: ReadonlyMap<number, number>;
  /** Letters of the first line. */
  readonly firstLine: number;
}

/** Reads the letters and digits of lines. */
export function spellingOf(lines: readonly PageLine[]): Spelling {
  const runs = new Map<number, number>();
  const words = lines.flatMap((line) => line.words);
  let [letters, firstLine] = ['', 0];
  for (const [number, { text }] of words.entries()) {
    for (const run of runsOf(text)) {
      runs.set(letters.length, number);
      letters += run;
    }
    if (number < (lines[0]?.words.length ?? 0)) firstLine = letters.length;
  }
  runs.set(letters.length, words.length);
  return { letters, words, runs, firstLine };
}

/** The words that spell a text from the first line on, whatever signs and gaps stand in it. */
export function wordsSpelling(
  text: string,
  { letters, words, runs, firstLine }: Spelling,
): readonly PageWord[] | undefined {
  const wanted = runsOf(text).join('');
  if (wanted === '') return undefined;
  for (let start = letters.indexOf(wanted); start >= 0; start = letters.indexOf(wanted, start + 1)) {
    if (start >= firstLine) return undefined;
    const end = start + wanted.length;
    const first = runs.get(start);
    if (first === undefined || !runs.has(end)) continue;
    const last = Array.from(runs).findLast(([at]) => at < end)?.[1] ?? first;
    return words.slice(first, last + 1);
  }
  return undefined;
}

function runsOf(text: string): readonly string[] {
  return (
    withoutAccents(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
