type CsvRecord = Readonly<Record<string, string>>;

/** Records as CSV (RFC 4180), with a line of their names. */
export function csv(rows: readonly CsvRecord[]): string {
  return rows.length === 0 ? '' : line(Object.keys(rows[0] ?? {})) + csvLines(rows);
}

/** More records of the same names. */
export function csvLines(rows: readonly CsvRecord[]): string {
  const names = Object.keys(rows[0] ?? {});
  return rows.map((row) => line(names.map((name) => row[name] ?? ''))).join('');
}

function line(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

/** Prevents formula injection in spreadsheets. */
function quoted(text: string): string {
  const inert = /^[=+@\t\r-]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
