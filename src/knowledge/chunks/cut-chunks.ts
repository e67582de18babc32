import type { Chunk } from '../chunk.ts';
import type { DocumentBlock } from '../document-block.ts';
import { type ChunkLimits, defaultChunkLimits, weightOf } from './chunk-limits.ts';
import { cutText } from './cut-text.ts';
import { renderTable } from './render-table.ts';
import { type Section, sections } from './sections.ts';

/** The chunks of a document, one after the other: they follow its structure, and none is over its bound. */
export function* cutChunks(
  blocks: Iterable<DocumentBlock>,
  limits: ChunkLimits = defaultChunkLimits,
): Generator<Chunk> {
  let position = 0;
  for (const section of sections(blocks)) {
    const { headings } = section;
    for (const { text, page } of mergeSmall(piecesOf(section, limits), limits)) {
      yield { position, text, headings, ...(page !== undefined && { page }) };
      position += 1;
    }
  }
}

/** A unit that is not split further. */
interface Piece {
  readonly text: string;
  readonly weight: number;
  readonly page: number | undefined;
}

function* piecesOf({ blocks }: Section, limits: ChunkLimits): Generator<Piece> {
  for (const block of blocks) {
    for (const text of textsOf(block, limits)) yield { text, weight: weightOf(text), page: block.page };
  }
}

function* textsOf(block: DocumentBlock, limits: ChunkLimits): Generator<string> {
  if (block.type === 'table') yield* renderTable(block, limits);
  else if (weightOf(block.text) > limits.target) yield* cutText(block.text, limits);
  else if (block.text.trim() !== '') yield block.text.trim();
}

/** Merges neighbours up to the target; a small remainder joins the one before it. */
function* mergeSmall(pieces: Iterable<Piece>, { target, most, small }: ChunkLimits): Generator<Piece> {
  let before: Piece | undefined;
  let open: Piece | undefined;
  for (const piece of pieces) {
    const both = open && join(open, piece);
    if (!open || (both && both.weight <= target)) {
      open = both ?? piece;
      continue;
    }
    if (before) yield before;
    before = open;
    open = piece;
  }
  const both = before && open && join(before, open);
  if (both && open && open.weight < small && both.weight <= most) {
    yield both;
    return;
  }
  if (before) yield before;
  if (open) yield open;
}

function join(above: Piece, below: Piece): Piece {
  const gap = isItem(above.text) && isItem(below.text) ? '\n' : '\n\n';
  return {
    text: above.text + gap + below.text,
    weight: above.weight + gap.length + below.weight,
    page: above.page,
  };
}

function isItem(text: string): boolean {
  return /^(?:-|\d{1,9}[.)]) /.test(text);
}
