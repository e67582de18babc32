import type { Environment } from './process-environment.ts';

// `${NAME}` inside `{ … }` would be read as the start of another mapping. Before parsing, `$`, `{` and `}` of a
// reference are exchanged one for one for Unicode noncharacters, so every offset and line stays what it was.
const dollar = '\uFDD0';
const open = '\uFDD1';
const close = '\uFDD2';

const written = /\$\$\{(?:[A-Za-z_]\w*\})?|\$\{[A-Za-z_]\w*\}/g;
const marked = new RegExp(`${dollar}${dollar}${open}|${dollar}${open}(\\w+)${close}`, 'g');

/** A text after its references were replaced. */
export interface ExpandedText {
  readonly text: string;
  /** Whether any of it came from the environment. */
  readonly isSubstituted: boolean;
  /** The variables it names that are not set. */
  readonly unset: readonly string[];
  /** Whether it holds a `${` that is neither a reference nor escaped. */
  readonly isMalformed: boolean;
}

/** Source text in which every `${NAME}` and `$${` is safe to stand anywhere in YAML. */
export function markReferences(source: string): string {
  return source.replace(written, (reference) =>
    reference.replaceAll('$', dollar).replace('{', open).replace('}', close),
  );
}

/** Marked text as it was written. */
export function unmarkReferences(text: string): string {
  return text.replaceAll(dollar, '$').replaceAll(open, '{').replaceAll(close, '}');
}

/** Marked text with `${NAME}` replaced by the variable and `$${` by `${`. */
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
