import { LineCounter, parseDocument, type YAMLError } from 'yaml';
import type { ConfigFile } from './config-file.ts';
import { ConfigInvalid, type ConfigProblem } from './config-problem.ts';
import type { ConfigTree } from './config-tree.ts';
import type { Environment } from './process-environment.ts';
import { TreeBuilder } from './tree-builder.ts';
import { markReferences } from './variable-references.ts';

/** The parsed file, unless it is unusable, and its problems. */
export interface ParsedYaml {
  readonly tree?: ConfigTree;
  readonly problems: readonly ConfigProblem[];
}

/** Parses YAML and replaces `${NAME}`. */
export function parseYaml(file: ConfigFile, environment: Environment): ParsedYaml {
  const lineCounter = new LineCounter();
  const lineAt = (offset: number): number => lineCounter.linePos(offset).line;
  const document = parseDocument(markReferences(file.text), {
    lineCounter,
    // The library's messages quote the source, which may contain secrets.
    prettyErrors: false,
    stringKeys: true,
    uniqueKeys: false,
  });
  const failures = [...document.errors, ...document.warnings];
  if (failures.length > 0) return { problems: syntaxProblems(file.name, failures, lineAt) };
  const builder = new TreeBuilder({ fileName: file.name, document, environment, lineAt });
  try {
    return { tree: builder.build(), problems: builder.problems };
  } catch (error) {
    if (error instanceof ConfigInvalid) return { problems: error.problems };
    throw error;
  }
}

/** One problem per line: errors cascade. */
function syntaxProblems(
  fileName: string,
  failures: readonly YAMLError[],
  lineAt: (offset: number) => number,
): ConfigProblem[] {
  const byLine = new Map<number, ConfigProblem>();
  for (const failure of failures) {
    const line = lineAt(failure.pos[0]);
    if (byLine.has(line)) continue;
    byLine.set(line, {
      source: fileName,
      line,
      message: syntaxMessages[failure.code] ?? 'is not valid YAML',
    });
  }
  return [...byLine.values()];
}

const syntaxMessages: Partial<Record<YAMLError['code'], string>> = {
  BAD_ALIAS: 'YAML: an alias (*name) is malformed',
  BAD_DQ_ESCAPE: 'YAML: unknown escape in a double-quoted text; use single quotes, or \\\\ for a backslash',
  BAD_INDENT: 'YAML: wrong indentation, or a bracket that is not closed',
  BAD_SCALAR_START: 'YAML: this character cannot begin a value; put the value in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'YAML: a second "key:" on one line; put the value in quotes',
  MISSING_CHAR: 'YAML: something is missing: a closing quote or bracket, a comma or a colon',
  MULTILINE_IMPLICIT_KEY: 'YAML: expected "key: value"',
  MULTIPLE_DOCS: 'YAML: expected one document, got a second one (---)',
  NON_STRING_KEY: 'YAML: expected a plain key, got a list or a mapping as key',
  RESOURCE_EXHAUSTION: 'YAML: nested too deeply',
  TAB_AS_INDENT: 'YAML: a tab cannot be used for indentation; use spaces',
  TAG_RESOLVE_FAILED: 'YAML: unknown tag (!name)',
  UNEXPECTED_TOKEN: 'YAML: unexpected text here; check the brackets, quotes and indentation around it',
};
