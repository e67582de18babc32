import { isTemperature, isTopP } from '../../config/sampling-ranges.ts';

/** By member name: whether a value is valid without a schema. */
export type PlainRules = ReadonlyMap<string, (value: unknown) => boolean>;

/**
 * Whether a body has only plain, valid members. Most do: checking them by a schema costs more than everything else that is
 * done with a small request.
 */
export function hasPlainFields(body: Readonly<Record<string, unknown>>, rules: PlainRules): boolean {
  for (const name in body) {
    const isPlain = rules.get(name);
    if (isPlain === undefined || !isPlain(body[name])) return false;
  }
  return true;
}

export const isText = (value: unknown) => typeof value === 'string';
export const isFlag = (value: unknown) => typeof value === 'boolean';

/** Rules for the members that all formats share. */
export const commonPlainRules = [
  ['model', isText],
  ['stream', isFlag],
  ['max_tokens', Number.isInteger],
  ['temperature', isTemperature],
  ['top_p', isTopP],
] as const;
