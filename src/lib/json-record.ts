/** A JSON object whose members are not known yet. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object; `null` and absence are the same. Throws for anything else. */
export function recordOf(value: unknown): JsonRecord | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isRecord(value)) throw new Error('a member is no object');
  return value;
}

/** The value if it is a list; none where it is `null` or absent. Throws for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new Error('a member is no list');
  return value;
}

/** The value if it is a text. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A text that should have been JSON. Says nothing of it: the text may be a tenant's. */
export class NotJson extends Error {
  override readonly name = 'NotJson';
}

/** Parses a text. Throws `NotJson`. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotJson('the text is no JSON');
  }
}
