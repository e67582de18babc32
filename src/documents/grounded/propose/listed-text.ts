import type { SourceLine, SourceText } from '../read/source-text.ts';
import type { LabelledText } from './labelled-text.ts';
import { isItem } from './text-parts.ts';
import type { LineSlice } from './text-slice.ts';

/** A single item is rather a remark. */
const FEWEST_ITEMS = 2;

/** The items with bullets or numbers below each other, if they are the only ones of a document. */
export function onlyListed({ lines }: SourceText): LabelledText | undefined {
  const blocks: LineSlice[][] = [];
  let open: LineSlice[] | undefined;
  for (const [index, line] of lines.entries()) {
    const item = itemIn(line, index);
    if (item === undefined) {
      open = undefined;
      continue;
    }
    if (open === undefined) {
      open = [];
      blocks.push(open);
    }
    open.push(item);
  }
  const [only, ...others] = blocks.filter(({ length }) => length >= FEWEST_ITEMS);
  return only === undefined || others.length > 0 ? undefined : { pieces: only, fit: 0 };
}

function itemIn({ segments: [only, ...others], start }: SourceLine, line: number): LineSlice | undefined {
  if (only === undefined || others.length > 0 || !isItem(only.text)) return undefined;
  const from = start + only.column;
  return { text: only.text, start: from, end: from + only.text.length, line };
}
