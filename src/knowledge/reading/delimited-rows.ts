/**
 * Parses delimited text. A quoted cell may hold delimiters, line ends and doubled quotes; if a quote is never closed, quotes are
 * literal from there on.
 */
export function* delimitedRows(text: string, delimiter: string): Generator<readonly string[]> {
  let at = 0;
  let areQuotesPlain = false;
  while (at < text.length) {
    const row: string[] = [];
    for (;;) {
      const quoted: Cell | undefined =
        !areQuotesPlain && text[at] === '"' ? quotedCell(text, at, delimiter) : undefined;
      if (text[at] === '"' && !quoted) areQuotesPlain = true;
      const cell = quoted ?? plainCell(text, at, delimiter);
      row.push(cell.value);
      at = cell.end + 1;
      if (text[cell.end] !== delimiter) break;
    }
    yield row;
  }
}

/** A cell and the offset of the delimiter or line end after it. */
interface Cell {
  readonly value: string;
  readonly end: number;
}

function plainCell(text: string, start: number, delimiter: string): Cell {
  const end = endOfCell(text, start, delimiter);
  return { value: text.slice(start, end), end };
}

/** Undefined if the quote is never closed. */
function quotedCell(text: string, start: number, delimiter: string): Cell | undefined {
  let value = '';
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return undefined;
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') {
      const end = endOfCell(text, quote + 1, delimiter);
      return { value: value + text.slice(quote + 1, end), end };
    }
    value += '"';
    from = quote + 2;
  }
}

function endOfCell(text: string, start: number, delimiter: string): number {
  let end = start;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n') end += 1;
  return end;
}
