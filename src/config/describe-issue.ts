import type * as z from 'zod';
import { type KeyPath, quoted } from './config-problem.ts';
import { nearestName } from './nearest-name.ts';

/** A schema's issue: path and message. */
export interface DescribedIssue {
  readonly path: KeyPath;
  readonly message: string;
}

type Issue = z.core.$ZodIssue;

/** Describes an issue; one that names several keys becomes several. */
export function describeIssue(issue: Issue, isHidden: (path: KeyPath) => boolean): DescribedIssue[] {
  const path = keyPath(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const known = issue.message.split(', ');
    return issue.keys.map((key) => ({ path: [...path, key], message: unknownKey(key, known) }));
  }
  return [{ path, message: describeValue(issue, isHidden(path)) }];
}

/** For a union, the issues of the most likely branch, the one whose outer shape matches; otherwise the issue itself. */
export function meantIssues(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const meant = issue.errors.find((errors) => errors.every((error) => error.path.length > 0));
  if (meant === undefined || meant.length === 0) return [issue];
  return meant.flatMap((error) => meantIssues({ ...error, path: [...issue.path, ...error.path] }));
}

export function keyPath(path: readonly PropertyKey[]): KeyPath {
  return path.map((step) => (typeof step === 'number' ? step : String(step)));
}

function unknownKey(key: string, known: readonly string[]): string {
  const nearest = nearestName(key, known);
  if (nearest !== undefined) return `unknown key, did you mean "${nearest}"?`;
  return `unknown key; known here: ${known.join(', ')}`;
}

function describeValue(issue: Issue, isHidden: boolean): string {
  const { expected, words } = expectation(issue);
  const input = judgedValue(issue);
  if (input === undefined) return `missing, expected ${expected}`;
  const hint = isHidden ? '' : nearHint(input, words);
  return `expected ${expected}, got ${describeInput(issue, isHidden)}${hint}${quoteHint(issue)}`;
}

function expectation(issue: Issue): { readonly expected: string; readonly words: readonly string[] } {
  if (issue.code === 'invalid_union' && 'options' in issue && issue.options !== undefined) {
    const words = issue.options.map(String);
    return { expected: `one of ${words.join(', ')}`, words };
  }
  if (issue.code === 'invalid_key') return { expected: issue.issues[0]?.message ?? issue.message, words: [] };
  const words = issue.code === 'invalid_value' ? issue.values.map(String) : [];
  return { expected: issue.message, words };
}

/** Zod reports the discriminator of a union but passes the whole mapping. */
function judgedValue(issue: Issue): unknown {
  const { input } = issue;
  if (issue.code !== 'invalid_union' || issue.discriminator === undefined) return input;
  return typeof input === 'object' && input !== null ? Reflect.get(input, issue.discriminator) : input;
}

function describeInput(issue: Issue, isHidden: boolean): string {
  const input = judgedValue(issue);
  if (input === null) return 'nothing';
  if (Array.isArray(input)) return input.length === 0 ? 'an empty list' : 'a list';
  if (typeof input === 'object') return 'a mapping';
  // A text in place of a mapping or list may be a misplaced secret.
  const isMisplaced = issue.code === 'invalid_type' && /object|record|array/.test(issue.expected);
  const hasPassword = typeof input === 'string' && /:\/\/[^/]*@/.test(input);
  if (isHidden || isMisplaced || hasPassword) return kindOfScalar(input);
  return typeof input === 'string' ? quoted(input) : String(input);
}

function kindOfScalar(input: unknown): string {
  if (typeof input === 'string') return unseenText(input);
  return typeof input === 'number' ? 'a number' : 'true or false';
}

/** Describes a text without showing it. */
export function unseenText(text: string): string {
  return `a text of ${text.length} ${text.length === 1 ? 'character' : 'characters'}`;
}

function nearHint(input: unknown, words: readonly string[]): string {
  const nearest = typeof input === 'string' ? nearestName(input, words) : undefined;
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}

function quoteHint(issue: Issue): string {
  const isBare = typeof issue.input === 'number' || typeof issue.input === 'boolean';
  const wantsText = issue.code === 'invalid_type' && issue.expected === 'string';
  return isBare && wantsText ? '; put it in quotes' : '';
}
