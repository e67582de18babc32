import type { Form, FormFile } from '../lib/form.ts';

/** A form as a client of the API would send it, so that tools check their input by the same rules. */
export function toolForm(fields: Readonly<Record<string, unknown>>, files: readonly FormFile[]): Form {
  const texts = Object.entries(fields).map(([name, value]) => [name, String(value)] as const);
  return { fields: new Map(texts), lists: new Map(), cutFields: new Set(), files };
}
