import { expect, it } from 'vitest';
import { packageSourceFiles, sourceFiles } from './source-files.ts';

const READS_ENVIRONMENT =
  /\bprocess\s*(\?\.|\.|\[['"])\s*env\b|\{[^}]*\benv\b[^}]*\}\s*(from\s*['"]node:process|=\s*process\b)/;

it('reads the environment in src/config and nowhere else', () => {
  const readers = [...sourceFiles(), ...packageSourceFiles()].filter(({ text }) =>
    READS_ENVIRONMENT.test(text),
  );
  expect(readers.map(({ path }) => path)).toEqual(['src/config/process-environment.ts']);
});

it('knows the ways to read it', () => {
  for (const text of [
    'process.env.HOME',
    "process['env']",
    'process?.env',
    "import { env } from 'node:process'",
    'const { env } = process;',
  ]) {
    expect(READS_ENVIRONMENT.test(text), text).toBe(true);
  }
  expect(READS_ENVIRONMENT.test("'process-environment.ts'")).toBe(false);
});
