import type * as z from 'zod';
import { checkReferences } from './check-references.ts';
import { type ConfigProblem, type KeyPath, renderPath } from './config-problem.ts';
import type { ConfigTree } from './config-tree.ts';
import { describeIssue, keyPath, meantIssues } from './describe-issue.ts';
import { type FileValues, fileSchema } from './file-schema.ts';

/** The values, or undefined if a schema rejected them, and every problem. */
export interface CheckedTree {
  readonly values?: FileValues;
  readonly problems: readonly ConfigProblem[];
}

/** Checks the whole file: each value by its schema, and references between them. */
export function checkTree(tree: ConfigTree, fileName: string): CheckedTree {
  const result = parse(tree);
  const issues = result.success ? [] : result.error.issues.flatMap(meantIssues);
  const described = issues
    .filter((issue) => !tree.isUnresolved(keyPath(issue.path)))
    .flatMap((issue) => describeIssue(issue, (path) => isHidden(tree, path)));
  const problems = [...described, ...checkReferences(tree)].map(({ path, message }) => ({
    source: fileName,
    line: tree.lineOf(path),
    path: renderPath(path),
    message,
  }));
  return result.success ? { values: result.data, problems } : { problems };
}

/** Environment variables are strings: a second pass converts them to the expected number or boolean. */
function parse(tree: ConfigTree) {
  const first = fileSchema.safeParse(tree.value, { reportInput: true });
  if (first.success) return first;
  const converted = structuredClone(tree.value);
  for (const issue of first.error.issues.flatMap(meantIssues)) convert(issue, tree, converted);
  return fileSchema.safeParse(converted, { reportInput: true });
}

function convert(issue: z.core.$ZodIssue, tree: ConfigTree, root: unknown): void {
  const path = keyPath(issue.path);
  if (typeof issue.input !== 'string' || !tree.isSubstituted(path)) return;
  const value = readAs(wantedTypes(issue), issue.input);
  const parent = path.slice(0, -1).reduce<unknown>((around, step) => child(around, step), root);
  const last = path.at(-1);
  if (value !== undefined && last !== undefined && isContainer(parent)) Reflect.set(parent, last, value);
}

function wantedTypes(issue: z.core.$ZodIssue): readonly string[] {
  if (issue.code === 'invalid_type') return [issue.expected];
  if (issue.code !== 'invalid_union') return [];
  return issue.errors.flat().flatMap((error) => (error.path.length === 0 ? wantedTypes(error) : []));
}

function readAs(types: readonly string[], text: string): number | boolean | undefined {
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  const isNumber = types.includes('number') || types.includes('int');
  return isNumber && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

function child(around: unknown, step: string | number): unknown {
  return isContainer(around) ? Reflect.get(around, step) : undefined;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

const secretKeys: ReadonlySet<string | number> = new Set([
  'api_key',
  'secret',
  'signing_secret',
  'secret_access_key',
  'database',
]);

/** Secrets and anything from the environment are not shown. */
function isHidden(tree: ConfigTree, path: KeyPath): boolean {
  return tree.isSubstituted(path) || path.some((step) => secretKeys.has(step));
}
