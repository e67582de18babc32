/** The text without what PostgreSQL cannot store: NUL, and halves of characters. */
export function storableText(text: string): string {
  return Buffer.from(text.replaceAll('\0', '')).toString();
}
