const PLAIN = /^[\w /.:{}*-]*$/;

/** `quotedJson` for texts of which most are the one before. */
export function repeatedJson(): (text: string) => string {
  let latest = '';
  let quoted = '""';
  return (text) => {
    if (text === latest) return quoted;
    latest = text;
    quoted = quotedJson(text);
    return quoted;
  };
}

/** A JSON string; without JSON.stringify if there is nothing to escape, which is faster. */
export function quotedJson(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
