import { type Evidence, positionAt } from '../read/evidence.ts';
import type { Position } from '../read/positions.ts';
import type { ProposedRow, ProposedSpan } from './network-answers.ts';

/** A cell of a table with more words is prose, of which a part may be the value. */
const MOST_WORDS = 8;

/** A row in which a text has all words of its cell of the table, if it is the only one with words there. */
export function withWholeCells(row: ProposedRow, isText: readonly boolean[], read: Evidence): ProposedRow {
  return row.map((cell, column) => {
    if (cell === undefined || isText[column] !== true) return cell;
    const others = row.flatMap((other) => (other === undefined || other === cell ? [] : [other]));
    return wholeCell(cell, others, read);
  });
}

function wholeCell(cell: ProposedSpan, others: readonly ProposedSpan[], read: Evidence): ProposedSpan {
  const [position] = positionsOf(cell, read);
  if (position === undefined || !isOneLine(cell, position, read) || !isCell(position, read)) return cell;
  const isShared = others.some((other) =>
    positionsOf(other, read).some(({ segment }) => segment === position.segment),
  );
  const { text } = position.segment;
  if (isShared || text.split(/\s+/).length > MOST_WORDS || text.includes(':')) return cell;
  const start = read.file.start + position.start - position.offset;
  const end = start + text.length;
  return { ...cell, text, start, end, ranges: [{ start, end }] };
}

function positionsOf({ ranges }: ProposedSpan, read: Evidence): readonly Position[] {
  return ranges.flatMap(({ start }) => positionAt(read, start - read.file.start) ?? []);
}

function isOneLine(cell: ProposedSpan, { segment }: Position, read: Evidence): boolean {
  return positionsOf(cell, read).every((position) => position.segment === segment);
}

/** Whether other cells stand beside it. */
function isCell({ line }: Position, { source }: Evidence): boolean {
  return (source.lines[line]?.segments.length ?? 0) > 1;
}
