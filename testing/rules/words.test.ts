import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sourceFiles } from './source-files.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['src', 'console', 'packages', 'testing', 'e2e', 'bench', 'scripts'];
const CODE = /\.(?:tsx?|mts|mjs|sql)$/;
const NOT_WRITTEN_HERE = /\/(?:node_modules|dist)\//;

/** Pronouns that hide the subject: name the process, request or reader instead. */
const PRONOUN = /\b(?:[Nn]o|[Ss]ome|[Ee]very)body\b|\b[Ww]hoever\b/;
const MOST_PRONOUNS = 12;
/** A doc comment says what a thing is; "What …" only points at it. */
const WHAT_COMMENT = /^\s*(?:\/\*\*|\*) What\b/;

const MOST_TERMS = 30;
/** Exported types whose name another folder uses for something else. Shorten this list; never extend it. */
const SHARED_NAMES: readonly string[] = [];

/** Lines of code and comments that match, as `path:line`. */
function linesWith(pattern: RegExp): readonly string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((path) => CODE.test(path) && !NOT_WRITTEN_HERE.test(path) && !path.endsWith('/words.test.ts'))
      .flatMap((path) =>
        readFileSync(join(root, path), 'utf8')
          .split('\n')
          .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : [])),
      ),
  );
}

function glossaryRows(): readonly (readonly string[])[] {
  const rows = readFileSync(join(root, 'docs/glossary.md'), 'utf8').match(/^\|.*\|$/gm) ?? [];
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe('comments and titles', () => {
  it('name their subject', () => {
    const found = linesWith(PRONOUN);
    expect(found.length, found.join('\n')).toBeLessThanOrEqual(MOST_PRONOUNS);
  });

  it('say what a thing is', () => {
    expect(linesWith(WHAT_COMMENT)).toEqual([]);
  });
});

describe('the glossary', () => {
  it('is short, has one row per term, and names existing files', () => {
    const rows = glossaryRows();
    const terms = rows.map(([term]) => term);
    expect(terms.length).toBeGreaterThan(20);
    expect(terms.length).toBeLessThanOrEqual(MOST_TERMS);
    expect(new Set(terms).size).toBe(terms.length);
    const files = rows.flatMap(([, , defined = '']) =>
      Array.from(defined.matchAll(/`([^`]+)`/g), ([, path = '']) => path),
    );
    expect(files.length).toBeGreaterThanOrEqual(terms.length);
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('holds for types: an exported name has one definition', () => {
    const homes = new Map<string, string[]>();
    for (const { path, text } of sourceFiles()) {
      for (const [, name = ''] of text.matchAll(
        /^export (?:abstract )?(?:interface|class|type|enum) (\w+)/gm,
      )) {
        homes.set(name, [...(homes.get(name) ?? []), path]);
      }
    }
    const shared = [...homes].filter(([, paths]) => paths.length > 1).map(([name]) => name);
    expect(shared.filter((name) => !SHARED_NAMES.includes(name))).toEqual([]);
  });
});
