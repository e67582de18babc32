import { readdir, readFile } from 'node:fs/promises';
import { parse } from 'yaml';

const folder = new URL('./extraction/', import.meta.url);

/** The documents of a part, `dev` or `held-out`, with their schemas and expected data. */
export async function readDocuments(part) {
  const base = new URL(`${part}/`, folder);
  const names = (await readdir(base)).filter((name) => name.endsWith('.yaml')).sort();
  return await Promise.all(
    names.map(async (name) => {
      const { kind, language, fields, expected, text } = parse(await readFile(new URL(name, base), 'utf8'));
      return { name: name.replace('.yaml', ''), kind, language, schema: schemaOf(fields), expected, text };
    }),
  );
}

/** Expands the short notation of schemas: `date?` is a date or null, `enum a|b` one of two, `-- words` a description. */
function schemaOf(short) {
  if (Array.isArray(short)) return { type: 'array', items: schemaOf(short[0]) };
  if (typeof short === 'object') {
    const properties = Object.fromEntries(
      Object.entries(short).map(([name, member]) => [name, schemaOf(member)]),
    );
    return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
  }
  const [type, description] = short.split(' -- ');
  const described = description === undefined ? {} : { description };
  if (type.startsWith('[')) return { ...schemaOf([type.replace(/[[\]?]/g, '')]), type: ['array', 'null'] };
  if (type.startsWith('enum ')) return { enum: type.slice(5).split('|'), ...described };
  const plain = type.replace('?', '');
  const base = plain === 'date' ? { type: 'string', format: 'date' } : { type: plain };
  return { ...base, ...(type.endsWith('?') ? { type: [base.type, 'null'] } : {}), ...described };
}

/** Compares leaf by leaf; surplus leaves count as wrong. */
export function judge(expected, actual, path = '') {
  if (Array.isArray(expected)) {
    const items = Array.isArray(actual) ? actual : [];
    const length = Math.max(expected.length, items.length);
    return Array.from({ length }, (_, index) =>
      judge(expected[index], items[index], `${path}/${index}`),
    ).flat();
  }
  if (typeof expected === 'object' && expected !== null) {
    return Object.keys(expected).flatMap((name) => judge(expected[name], actual?.[name], `${path}/${name}`));
  }
  const isRight =
    typeof expected === 'string' && typeof actual === 'string' ? same(expected, actual) : expected === actual;
  return [{ path, expected, actual, isRight }];
}

/** Case is ignored: a shop's name is in capitals on its receipt. */
function same(one, other) {
  return one.toLowerCase().replace(/\s+/g, ' ') === other.toLowerCase().replace(/\s+/g, ' ');
}
