import type { TableBlock } from '../document-block.ts';
import { type ChunkLimits, weightOf } from './chunk-limits.ts';
import { cutText } from './cut-text.ts';

/** With more columns, a reader cannot match values to names by position. */
const MAX_COUNTED_COLUMNS = 6;
/** Names next to values are truncated, since each row repeats them. */
const MAX_NAME_CHARACTERS = 60;

/**
 * Renders a table as texts that can each be understood alone: column names above as many whole rows as fit, or next to each
 * value if there are many columns.
 */
export function* renderTable({ header, rows }: TableBlock, limits: ChunkLimits): Generator<string> {
  const names = header.some((name) => name !== '') ? header : [];
  const top = names.length === 0 ? '' : joinCells(names);
  if (rows.length === 0) yield* cutText(top, limits);
  else if (names.length > MAX_COUNTED_COLUMNS || weightOf(top) > limits.target / 3) {
    yield* packed(
      rows.map((row) => nameCells(names, row)),
      '',
      limits,
    );
  } else yield* packed(rows.map(joinCells), top, limits);
}

function* packed(lines: readonly string[], top: string, limits: ChunkLimits): Generator<string> {
  const topWeight = weightOf(top) + 1;
  let open: string[] = [];
  let weight = topWeight;
  const close = () => [top, ...open].filter((line) => line !== '').join('\n');
  for (const line of lines) {
    if (line === '') continue;
    const added = weightOf(line) + 1;
    if (open.length > 0 && weight + added > limits.target) {
      yield close();
      open = [];
      weight = topWeight;
    }
    if (topWeight + added > limits.most) {
      yield* cutRow(line, top, limits);
      continue;
    }
    open.push(line);
    weight += added;
  }
  if (open.length > 0) yield close();
}

/** A row too long for one chunk is cut like text, each part below the names. */
function* cutRow(line: string, top: string, limits: ChunkLimits): Generator<string> {
  const room = weightOf(top) + 1;
  const inside = { ...limits, target: limits.target - room, most: limits.most - room };
  for (const part of cutText(line, inside)) yield top === '' ? part : `${top}\n${part}`;
}

function joinCells(cells: readonly string[]): string {
  return cells.join(' | ').trim();
}

function nameCells(names: readonly string[], row: readonly string[]): string {
  return row
    .map((value, column) => {
      if (value === '') return '';
      const name = (names[column] ?? '').slice(0, MAX_NAME_CHARACTERS).trim();
      return name === '' ? value : `${name}: ${value}`;
    })
    .filter((part) => part !== '')
    .join('; ');
}
