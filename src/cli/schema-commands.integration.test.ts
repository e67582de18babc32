import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../../testing/cli-run.ts';
import { HANGING } from '../../testing/schema/schema-service.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stackgate-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function grammarOf(schema: string, ...options: readonly string[]) {
  return runOn('grammar', schema, options);
}

async function runOn(command: string, schema: string, options: readonly string[] = []) {
  const file = join(folder, 'schema.json');
  await writeFile(file, schema);
  return runCli(['schema', command, file, ...options]);
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

it('does not hang on a schema that does', async () => {
  const { code, err } = await grammarOf(JSON.stringify(HANGING));
  expect([code, err]).toEqual([3, expect.stringContaining('too-complex')]);
});

it.each(['grammar', 'check'])('says of %s that a file cannot be read, with 3', async (command) => {
  const { code, err } = await runCli(['schema', command, join(folder, 'none.json')]);
  expect([code, err]).toEqual([3, expect.stringContaining('cannot read the schema: ENOENT')]);
});

describe('schema check', () => {
  const schema = JSON.stringify({
    type: 'object',
    properties: {
      total: { type: 'number' },
      tags: { type: 'array', items: { type: 'string' }, uniqueItems: true },
    },
    required: ['total'],
  });

  it('tells people what it found, with 0', async () => {
    const { code, out, err } = await runOn('check', schema);
    expect([code, err]).toEqual([0, '']);
    expect(out.replaceAll(folder, '')).toMatchInlineSnapshot(`
      "/schema.json: valid

      Enforced by the grammar: type (4), properties, required, items

      Left to validation:
        /properties/tags uniqueItems: Items are kept apart only where an enum lists a few values.

      May be invented (required, with no way to say that nothing was found):
        /total

      May be left out (not required):
        /tags

      Smallest answer: about 3 tokens

      With every field required, and null for what may be missing:

      {
        "type": "object",
        "properties": {
          "total": { "type": ["number", "null"] },
          "tags": { "type": ["array", "null"], "items": { "type": "string" }, "uniqueItems": true }
        },
        "required": ["total", "tags"]
      }
      "
    `);
  });

  it('tells scripts the same', async () => {
    const { code, out } = await runOn('check', schema, ['--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      valid: true,
      problems: [],
      enforced: expect.arrayContaining([{ path: '', keyword: 'type' }]),
      validated_only: [{ path: '/properties/tags', keyword: 'uniqueItems', message: expect.any(String) }],
      may_be_invented: ['/total'],
      may_vanish: ['/tags'],
      smallest_answer_tokens: 3,
      repaired_schema: { required: ['total', 'tags'] },
    });
  });

  it('has nothing to repair where nothing can go wrong', async () => {
    const { out } = await runOn('check', '{"type": "boolean"}');
    expect(out).toContain('No field may be invented or left out.');
  });

  it('says when there is no repaired schema', async () => {
    const exclusive = { properties: { a: {}, b: {} }, oneOf: [{ required: ['a'] }, { required: ['b'] }] };
    const { code, out } = await runOn('check', JSON.stringify(exclusive));
    expect([code, out]).toEqual([0, expect.stringContaining('No repaired schema')]);
  });

  it.each([
    ['{"type": "nothing"}', 'invalid at /type'],
    ['{"type": "integer", "minimum": 2, "maximum": 1}', 'unsatisfiable at the root'],
    ['{"$ref": "https://example.com/a.json"}', 'remote-reference at /$ref'],
    ['{', 'not JSON'],
    ['7', 'A schema is a JSON object'],
  ])('tells why %s cannot be used, with 1', async (text, reason) => {
    const { code, out } = await runOn('check', text);
    expect([code, out]).toEqual([1, expect.stringContaining(reason)]);
    const machine = await runOn('check', text, ['--json']);
    expect(machine.code).toBe(1);
    expect(JSON.parse(machine.out)).toMatchObject({ valid: false, repaired_schema: null });
  });
});
