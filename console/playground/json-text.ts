/** JSON typed by a person: the value, or what is wrong with it. */
export type TypedJson = { readonly value: unknown } | { readonly problem: string } | undefined;

/** undefined: nothing was typed. */
export function typedJson(text: string): TypedJson {
  if (text.trim() === '') return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: `This is no JSON: ${error instanceof Error ? error.message : error}` };
  }
}

export function problemOf(json: TypedJson): string | undefined {
  return json !== undefined && 'problem' in json ? json.problem : undefined;
}

export function jsonValue(json: TypedJson): unknown {
  return json !== undefined && 'value' in json ? json.value : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
