import { isRecord } from '../lib/json-record.ts';
import type { LimitOverrides } from './config.ts';
import { renderPath } from './config-problem.ts';
import { describeIssue } from './describe-issue.ts';
import { resolveLimits } from './resolve-stacks.ts';
import { limitsSchema } from './stack-schemas.ts';

/** Limits by their names in the file, such as `extraction.pages`. null: no limit, undefined: the plan's. */
export type LimitSettings = ReadonlyMap<string, number | null | undefined>;

/** An unknown limit, or an invalid value. */
export class LimitInvalid extends Error {
  override readonly name = 'LimitInvalid';
}

type Tree = Readonly<Record<string, unknown>>;

/** Parses `extraction.pages=100` by the rules of the file. An empty value or `null` removes the limit. */
export function parseLimitSetting(text: string): readonly [string, number | null | undefined] {
  const [, name, written] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  if (name === undefined || written === undefined)
    throw new LimitInvalid('expected name=value, for example extraction.pages=100');
  requireLimit(name);
  if (written === '') return [name, undefined];
  // Not every limit can be unlimited; the others return to the plan's.
  if (written === 'null') return [name, problemWith(name, null) === undefined ? null : undefined];
  const value = /^-?\d+(\.\d+)?$/.test(written) ? Number(written) : written;
  const problem = problemWith(name, value);
  if (problem !== undefined || typeof value === 'string')
    throw new LimitInvalid(problem ?? `${name}: expected a number`);
  return [name, value];
}

/** Applies settings to limits. */
export function withLimitSettings(limits: LimitOverrides, settings: LimitSettings): LimitOverrides {
  if (settings.size === 0) return limits;
  let tree = limitsByFileNames(limits);
  for (const [name, value] of settings) tree = withValue(tree, name.split('.'), value);
  return resolveLimits(limitsSchema.parse(tree));
}

/** Limits with the file's key names, without empty groups. */
export function limitsByFileNames(limits: object): Tree {
  const entries = Object.entries(limits)
    .map(([key, value]) => [snakeCase(key), isRecord(value) ? limitsByFileNames(value) : value] as const)
    .filter(([, value]) => !isRecord(value) || Object.keys(value).length > 0);
  return Object.fromEntries(entries);
}

function requireLimit(name: string): void {
  const problem = problemWith(name, 1);
  if (problem !== undefined) throw new LimitInvalid(problem);
}

function problemWith(name: string, value: unknown): string | undefined {
  const path = name.split('.');
  const parsed = limitsSchema.safeParse(withValue({}, path, value), { reportInput: true });
  if (!parsed.success) {
    const [first] = parsed.error.issues.flatMap((issue) => describeIssue(issue, () => false));
    return first && `${renderPath(first.path)}: ${first.message}`;
  }
  return undefined;
}

function withValue(tree: Tree, [key = '', ...rest]: readonly string[], value: unknown): Tree {
  if (rest.length === 0) return { ...tree, [key]: value };
  const group = tree[key];
  return { ...tree, [key]: withValue(isRecord(group) ? group : {}, rest, value) };
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
