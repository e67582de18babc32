import { isTemperature, isTopP } from '../../config/sampling-ranges.ts';

/** What values a member may have for which no schema has to be asked. */
export type PlainRules = ReadonlyMap<string, (value: unknown) => boolean>;

/**
 * Whether a body has only members of the plainest kind. Most have: asking a schema that knows every member costs more than
 * all else that is done with a small request.
 */
export function hasPlainFields(body: Readonly<Record<string, unknown>>, rules: PlainRules): boolean {
  for (const name in body) {
    const isPlain = rules.get(name);
    if (isPlain === undefined || !isPlain(body[name])) return false;
  }
  return true;
}

const isText = (value: unknown) => typeof value === 'string';
const isFlag = (value: unknown) => typeof value === 'boolean';

/** Members that both formats have, and take alike. */
export const commonPlainRules = [
  ['model', isText],
  ['stream', isFlag],
  ['max_tokens', Number.isInteger],
  ['temperature', isTemperature],
  ['top_p', isTopP],
] as const;
