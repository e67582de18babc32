import { isRecord } from '../../lib/json-record.ts';
import { type FieldWords, fieldWords } from './label-words.ts';

/** More names do not help to find relevant lines. */
const MAX_NAMES = 100;

/** The names of all properties, at every depth. */
export function schemaWords(schema: unknown): readonly FieldWords[] {
  return namedSchemas(schema)
    .slice(0, MAX_NAMES)
    .map(([name, property]) => {
      const { title, description } = isRecord(property) ? property : {};
      return fieldWords(name, [title, description].filter((text) => typeof text === 'string').join(' '));
    });
}

function namedSchemas(schema: unknown): readonly (readonly [string, unknown])[] {
  if (Array.isArray(schema)) return schema.flatMap(namedSchemas);
  if (!isRecord(schema)) return [];
  const own = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
  return [...own, ...Object.values(schema).flatMap(namedSchemas)];
}
