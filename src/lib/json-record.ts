/** A JSON object with unknown members. */
export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object; undefined for `null` and undefined. Throws for anything else. */
export function recordOf(value: unknown): JsonRecord | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isRecord(value)) throw new Error('a member is no object');
  return value;
}

/** The value if it is a list; empty for `null` and undefined. Throws for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new Error('a member is no list');
  return value;
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The value of a text; undefined if it is no JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Invalid JSON. The text may be tenant data and is not included. */
export class NotJson extends Error {
  override readonly name = 'NotJson';
}

/** Throws `NotJson`. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotJson('the text is no JSON');
  }
}
