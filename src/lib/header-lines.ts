/** Headers as lines of an HTTP head. */
export function headerLines(headers: Readonly<Record<string, string>>): string {
  let text = '';
  for (const name in headers) text += `${name}: ${headers[name]}\r\n`;
  return text;
}

/** Alternating names and values, for Node's server. */
export function listedHeaders(lines: string): string[] {
  const list: string[] = [];
  for (const line of lines.split('\r\n')) {
    const end = line.indexOf(': ');
    if (end !== -1) list.push(line.slice(0, end), line.slice(end + 2));
  }
  return list;
}
