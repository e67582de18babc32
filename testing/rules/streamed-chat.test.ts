import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sourceFiles } from './source-files.ts';

const MOST_FILES = 10;
const MOST_LINES = 199;

it('leads a streamed chat from socket to socket through few short files, which ARCHITECTURE.md lists', () => {
  const architecture = readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8');
  const [section = ''] = /^## A streamed chat.*?(?=^## )/ms.exec(architecture) ?? [];
  const listed = [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path]) => `src/${path}`);
  const files = new Map(sourceFiles().map(({ path, text }) => [path, text]));
  expect(listed.length).toBeGreaterThan(5);
  expect(listed.length).toBeLessThanOrEqual(MOST_FILES);
  expect(listed.filter((path) => !files.has(path))).toEqual([]);
  const tooLong = listed.filter((path) => (files.get(path)?.split('\n').length ?? 0) > MOST_LINES + 1);
  expect(tooLong).toEqual([]);
});
