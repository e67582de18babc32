/** Where commands write. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether a person watches what goes to `err`, so that a line may be written over. */
  readonly isWatched: boolean;
  /** Whether `out` is a terminal and no log that others keep, so that a secret may be shown there. */
  readonly isTerminal: boolean;
}

/** A list of records as aligned columns. */
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

/** A value for a table cell. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'object') return Object.keys(value).length === 0 ? '-' : JSON.stringify(value);
  // A line break would tear the table apart.
  return String(value).replace(/\s+/g, ' ');
}
