import { parseExactJson } from '../../lib/exact-json.ts';
import type { Form } from '../../lib/form.ts';

/** Fields by name; integers are bigints. */
export type FieldValues = Readonly<Record<string, unknown>>;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const numeric = ['steps', 'guidance_scale', 'seed', 'n'];

/** The fields of a form; numeric ones are converted if they are well-formed. */
export function valuesOfForm({ fields }: Form): FieldValues {
  const values: Record<string, unknown> = Object.create(null);
  for (const [name, text] of fields) values[name] = numeric.includes(name) ? numberOrText(text) : text;
  return values;
}

function numberOrText(text: string): unknown {
  const trimmed = text.trim();
  return NUMBER.test(trimmed) ? parseExactJson(trimmed) : text;
}
