import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { packageSourceFiles, sourceFiles } from './source-files.ts';

/** Mutable state at module scope: a variable, or a collection that starts empty. Constant ones have a readonly type. */
const CHANGES = /^(?:export )?(?:let \w|const \w+ = new (?:Map|Set|WeakMap|WeakSet)(?:<.*>)?\(\);)/m;

it('has no state at module scope but what ARCHITECTURE.md names', () => {
  const architecture = readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8');
  const unnamed = [...sourceFiles(), ...packageSourceFiles()]
    .filter(({ text }) => CHANGES.test(text))
    .map(({ path }) => path.replace(/^src\//, ''))
    .filter((path) => !architecture.includes(`\`${path}\``));
  // The database's worker is a program of its own.
  expect(unnamed).toEqual(['packages/pglite-host/src/database-worker.ts']);
});

it('knows how state is written', () => {
  for (const text of [
    'let count = 0;',
    'export let last: string;',
    'const known = new Map<string, A<B>>();',
  ]) {
    expect(CHANGES.test(`'use it'\n${text}\n`), text).toBe(true);
  }
  for (const text of ['  let count = 0;', 'const names: ReadonlySet<string> = new Set();', 'letter();']) {
    expect(CHANGES.test(text), text).toBe(false);
  }
});
