import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const FLAGS = [
  '--ignoreConfig',
  '--target',
  'es2023',
  '--module',
  'nodenext',
  '--rewriteRelativeImportExtensions',
];

/** The tests' own matcher: TypeScript, which Node 20 cannot run. */
export async function loadOwnMatcher() {
  const folder = await mkdtemp(join(tmpdir(), 'stackgate-bench-'));
  try {
    const sources = ['gbnf-grammar.ts', 'gbnf-matcher.ts'].map((name) =>
      join(root, 'packages/json-schema-grammar/testing', name),
    );
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    execFileSync(join(root, 'node_modules/.bin/tsc'), [...FLAGS, '--outDir', folder, ...sources]);
    const load = (name) => import(pathToFileURL(join(folder, name)).href);
    const { parseGbnf } = await load('gbnf-grammar.js');
    const { GbnfMatcher } = await load('gbnf-matcher.js');
    return (grammar) => {
      const matcher = new GbnfMatcher(parseGbnf(grammar));
      return (text) => matcher.matches(text);
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}
