import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli } from '../../testing/cli-run.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stackgate-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function grammarOf(schema: string, ...options: readonly string[]) {
  const file = join(folder, 'schema.json');
  await writeFile(file, schema);
  return runCli(['schema', 'grammar', file, ...options]);
}

it('prints the grammar of a schema', async () => {
  const { code, out } = await grammarOf('{"enum": ["red", "green"]}');
  expect(code).toBe(0);
  expect(out).toMatch(/^root ::= /m);
});

it('prints what is left to validation as JSON', async () => {
  const { out } = await grammarOf('{"type": "boolean"}', '--json');
  expect(JSON.parse(out)).toMatchObject({ grammar: expect.any(String), leftToValidation: [], narrowed: [] });
});

it.each([
  ['{"type": "integer", "minimum": 2, "maximum": 1}', 'unsatisfiable'],
  ['{"type": "nothing"}', 'invalid'],
  ['{"$ref": "https://example.com/a.json"}', 'remote-reference'],
  ['{', 'not JSON'],
])('refuses %s in one line, with 3', async (schema, reason) => {
  const { code, err } = await grammarOf(schema);
  expect(code).toBe(3);
  expect(err).toContain(reason);
});
