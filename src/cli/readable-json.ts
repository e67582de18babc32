const LINE_CHARACTERS = 100;

/** Indented JSON that keeps short values on one line. */
export function readableJson(value: unknown, indentation = ''): string {
  const line = oneLine(value);
  if (line.length + indentation.length <= LINE_CHARACTERS || typeof value !== 'object' || value === null) {
    return line;
  }
  const inner = `${indentation}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => `${inner}${readableJson(item, inner)}`);
    return `[\n${items.join(',\n')}\n${indentation}]`;
  }
  const members = Object.entries(value).map(
    ([key, member]) => `${inner}${JSON.stringify(key)}: ${readableJson(member, inner)}`,
  );
  return `{\n${members.join(',\n')}\n${indentation}}`;
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${oneLine(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
