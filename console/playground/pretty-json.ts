const WIDTH = 76;

/** JSON for people: what fits on a line stays on one. */
export function prettyJson(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const line = onOneLine(value);
  if (indent.length + line.length <= WIDTH && !(indent === '' && !Array.isArray(value))) return line;
  const inner = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((item) => prettyJson(item, inner))
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${prettyJson(member, inner)}`);
  if (members.length === 0) return line;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${members.map((member) => inner + member).join(',\n')}\n${indent}${close}`;
}

function onOneLine(value: object): string {
  const member = (item: unknown) =>
    typeof item === 'object' && item !== null ? onOneLine(item) : (JSON.stringify(item) ?? 'null');
  if (Array.isArray(value)) return `[${value.map(member).join(', ')}]`;
  const members = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${member(item)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
