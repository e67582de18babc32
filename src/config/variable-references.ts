import type { Environment } from './process-environment.ts';

// `${NAME}` inside `{ … }` would be parsed as a nested mapping. Before parsing, `$`, `{` and `}` of a reference are replaced one
// for one with Unicode noncharacters, so that offsets and lines stay the same.
const dollar = '\uFDD0';
const open = '\uFDD1';
const close = '\uFDD2';

const written = /\$\$\{(?:[A-Za-z_]\w*\})?|\$\{[A-Za-z_]\w*\}/g;
const marked = new RegExp(`${dollar}${dollar}${open}|${dollar}${open}(\\w+)${close}`, 'g');

/** A text after substitution. */
export interface ExpandedText {
  readonly text: string;
  /** Whether any of it came from the environment. */
  readonly isSubstituted: boolean;
  /** Referenced variables that are not set. */
  readonly unset: readonly string[];
  /** Whether it has a `${` that is neither a reference nor escaped. */
  readonly isMalformed: boolean;
}

/** Escapes every `${NAME}` and `$${` for YAML. */
export function markReferences(source: string): string {
  return source.replace(written, (reference) =>
    reference.replaceAll('$', dollar).replace('{', open).replace('}', close),
  );
}

/** Reverses `markReferences`. */
export function unmarkReferences(text: string): string {
  return text.replaceAll(dollar, '$').replaceAll(open, '{').replaceAll(close, '}');
}

/** Replaces `${NAME}` with the variable and `$${` with `${` in marked text. */
export function expandReferences(text: string, environment: Environment): ExpandedText {
  const unset: string[] = [];
  let isSubstituted = false;
  const isMalformed = text.includes('${');
  const expanded = text.replace(marked, (_, name: string | undefined) => {
    if (name === undefined) return '${';
    isSubstituted = true;
    const value = environment[name];
    if (value === undefined) unset.push(name);
    return value ?? '';
  });
  return { text: expanded.replaceAll(close, '}'), isSubstituted, unset, isMalformed };
}
