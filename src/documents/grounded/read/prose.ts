import type { SourceLine } from './source-text.ts';

/** A line of prose has at least as many words. */
const PROSE_WORDS = 8;

/** The number of the first line of prose: many words without a gap; -1 if there is none. */
export function firstProse(lines: readonly SourceLine[]): number {
  return lines.findIndex(
    ({ segments: [only, ...others] }) =>
      only !== undefined && others.length === 0 && only.text.split(/\s+/).length >= PROSE_WORDS,
  );
}
