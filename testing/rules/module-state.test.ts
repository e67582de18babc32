import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { type SourceFile, sourceFiles } from './source-files.ts';

/** Something at module scope that changes or may: a variable, a collection or memory; constant ones say in their type that they stay so. */
const CHANGES =
  /^(?:export )?(?:(?:let|var) |const \w+(?:: (?:\w+\[\]|(?:Array|Record|Map|Set|WeakMap|WeakSet)<.*>))? = (?:new (?:Map|Set|WeakMap|WeakSet)\b|\[\];|\{\};|Buffer\.alloc\w*\((?!0\))))/m;

/** An object of a class of ours, which may change; what these hold stays as it was made. */
const HOLDS =
  /^(?:export )?const \w+(?:: [^=\n]+)? = new (?!(?:Map|Set|RegExp|URL|AbortController|Intl|Uint8Array|FileHints|NotCanonical)\b)/m;

/** A statement at module scope that is neither a declaration nor an import. */
const WORK = /^(?:await |void |if |for |while |do |try |switch |throw |[\w$.]+\()/m;

const files = sourceFiles();

it('has no state at module scope but what ARCHITECTURE.md names', () => {
  const architecture = readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8');
  const [named = ''] = /^- State at module scope.*?(?=^- )/ms.exec(architecture) ?? [];
  const stateful = files
    .filter(({ text }) => hasState(withoutTemplates(text)))
    .map(({ path }) => path)
    .filter((path) => !programs(files).has(path))
    .map((path) => path.replace(/^src\//, ''));
  expect(stateful.filter((path) => !named.includes(`\`${path}\``))).toEqual([]);
});

it('does nothing when it is imported, unless it is a program', () => {
  const working = files.filter(({ text }) => WORK.test(withoutTemplates(text))).map(({ path }) => path);
  expect(working.filter((path) => !programs(files).has(path))).toEqual([]);
  expect(working).toContain('src/main.ts');
  expect(working.length).toBeGreaterThan(5);
});

it('knows how state and work are written', () => {
  for (const text of [
    'let count = 0;',
    'export let last: string;',
    'const known = new Map<string, A<B>>();',
    'const known: Map<string, string> = new Map();',
    'export const clock = new Clock();',
    'const list: string[] = [];',
    'const shared = Buffer.allocUnsafeSlow(SIZE);',
  ]) {
    expect(hasState(`'use it'\n${text}\n`), text).toBe(true);
  }
  for (const text of [
    '  let count = 0;',
    'const names: ReadonlySet<string> = new Set();',
    'const NOTHING = Buffer.alloc(0);',
    'const SHAPE = new RegExp(`x`);',
    'const none: readonly string[] = [];',
    'const rules: Rules = new Map([]);',
  ]) {
    expect(hasState(text), text).toBe(false);
  }
  expect(WORK.test('const a = 1;\nstart();\n')).toBe(true);
  expect(WORK.test('function a() {\n  start();\n}\n')).toBe(false);
});

function hasState(text: string): boolean {
  return CHANGES.test(text) || HOLDS.test(text);
}

/** Files that are started as a process or a thread. */
function programs(all: readonly SourceFile[]): ReadonlySet<string> {
  const started = all.flatMap(({ path, text }) =>
    [...text.matchAll(/compiledEntry\(import\.meta\.url, '([^']+)\.js'\)/g)].map(([, entry = '']) =>
      join(dirname(path), `${entry}.ts`),
    ),
  );
  return new Set(['src/main.ts', ...started]);
}

function withoutTemplates(text: string): string {
  return text.replace(/`(?:[^`\\]|\\.)*`/gs, '``');
}
