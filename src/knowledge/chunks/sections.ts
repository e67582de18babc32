import type { DocumentBlock } from '../document-block.ts';

/** Blocks under the same headings, in reading order. */
export interface Section {
  /** Outermost first. */
  readonly headings: readonly string[];
  readonly blocks: readonly DocumentBlock[];
}

/** Longer headings are truncated above a chunk and also kept as text. */
const MAX_HEADING_CHARACTERS = 200;
/** Only the innermost headings are kept for a chunk. */
const MAX_HEADINGS = 6;

interface OpenHeading {
  readonly level: number;
  readonly block: Extract<DocumentBlock, { type: 'heading' }>;
}

/** Splits a document at its headings. A heading with nothing below becomes text under its parent. */
export function* sections(blocks: Iterable<DocumentBlock>): Generator<Section> {
  const path: OpenHeading[] = [];
  let open: { headings: readonly string[]; blocks: DocumentBlock[] } = { headings: [], blocks: [] };
  let isBare = false;
  const add = function* (block: DocumentBlock): Generator<Section> {
    const headings = headingsOf(path);
    if (!areSame(headings, open.headings)) {
      if (open.blocks.length > 0) yield open;
      open = { headings, blocks: [] };
    }
    open.blocks.push(block);
  };
  const leave = function* (level: number): Generator<Section> {
    while (path.length > 0 && (path.at(-1)?.level ?? 0) >= level) {
      const left = path.pop();
      if (isBare && left) yield* add(asText(left.block));
      isBare = false;
    }
  };
  for (const block of blocks) {
    if (block.type === 'heading') {
      yield* leave(block.level);
      path.push({ level: block.level, block });
      isBare = block.text.length <= MAX_HEADING_CHARACTERS;
      if (!isBare) yield* add(asText(block));
    } else {
      isBare = false;
      yield* add(block);
    }
  }
  yield* leave(0);
  if (open.blocks.length > 0) yield open;
}

function asText({ text, page }: Extract<DocumentBlock, { type: 'heading' }>): DocumentBlock {
  return { type: 'paragraph', text, page };
}

function headingsOf(path: readonly OpenHeading[]): readonly string[] {
  return path.slice(-MAX_HEADINGS).map(({ block }) => shortened(block.text));
}

function shortened(text: string): string {
  if (text.length <= MAX_HEADING_CHARACTERS) return text;
  return `${text
    .slice(0, MAX_HEADING_CHARACTERS - 1)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`;
}

function areSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}
