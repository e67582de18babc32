/** Records as CSV (RFC 4180). */
export function csv(rows: readonly Readonly<Record<string, string>>[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))];
  return rows.length === 0 ? '' : lines.map((line) => `${line.map(quoted).join(',')}\r\n`).join('');
}

/** Prevents formula injection in spreadsheets. */
function quoted(text: string): string {
  const inert = /^[=+@\t\r-]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
