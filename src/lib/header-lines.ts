/** Headers as they stand in the head of an HTTP message. */
export function headerLines(headers: Readonly<Record<string, string>>): string {
  let text = '';
  for (const name in headers) text += `${name}: ${headers[name]}\r\n`;
  return text;
}

/** Names and values in turn, as Node's server takes them. */
export function listedHeaders(lines: string): string[] {
  const list: string[] = [];
  for (const line of lines.split('\r\n')) {
    const end = line.indexOf(': ');
    if (end !== -1) list.push(line.slice(0, end), line.slice(end + 2));
  }
  return list;
}
