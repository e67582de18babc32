/** The text without NUL and lone surrogates, which PostgreSQL cannot store. */
export function storableText(text: string): string {
  return Buffer.from(text.replaceAll('\0', '')).toString();
}
