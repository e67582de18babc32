/** Where commands write. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether `err` is a terminal, so that lines can be overwritten. */
  readonly isWatched: boolean;
  /** Whether `out` is a terminal rather than a stored log, so that a secret may be shown. */
  readonly isTerminal: boolean;
}

/** Records as aligned columns. */
export function table(rows: readonly Readonly<Record<string, string>>[]): string {
  const first = rows[0];
  if (first === undefined) return '(none)\n';
  const names = Object.keys(first);
  const lines = [
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => row[name] ?? '')),
  ];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

export function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'object') return Object.keys(value).length === 0 ? '-' : JSON.stringify(value);
  // A line break would break the table.
  return String(value).replace(/\s+/g, ' ');
}
