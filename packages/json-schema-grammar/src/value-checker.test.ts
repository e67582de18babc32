import { describe, expect, it } from 'vitest';
import type { SchemaRefused } from './terms/schema-refused.ts';
import { createValueChecker } from './value-checker.ts';

const keywordsIn = (schema: unknown, value: unknown) =>
  createValueChecker(schema)
    .problems(value)
    .map(({ path, keyword }) => `${path} ${keyword}`);

describe('a value checker', () => {
  it('reports every problem with its path and the allowed values', () => {
    const schema = { properties: { a: { enum: ['x', 'y'] } }, required: ['b'], additionalProperties: false };
    const problems = createValueChecker(schema).problems({ a: 'z', c: 1 });
    expect(problems).toEqual([
      { path: '', keyword: 'required', message: "must have required property 'b'" },
      { path: '', keyword: 'additionalProperties', message: 'must NOT have additional properties ("c")' },
      { path: '/a', keyword: 'enum', message: 'must be equal to one of the allowed values (["x","y"])' },
    ]);
    expect(createValueChecker(schema).problems({ a: 'x', b: 1 })).toHaveLength(1);
    expect(createValueChecker(schema).problems({ a: 'z', c: 1 }, 2)).toHaveLength(2);
  });

  it.each<[string, object, unknown, readonly string[]]>([
    ['the exclusive limits of draft 4', { maximum: 3, exclusiveMaximum: true }, 3, [' exclusiveMaximum']],
    [
      'ids that are repeated',
      { properties: { a: { $id: 'x' }, b: { $id: 'x', type: 'null' } } },
      { b: 1 },
      ['/b type'],
    ],
    ['patterns that only the lenient RegExp knows', { pattern: '^\\_x$' }, 'y', [' pattern']],
    ['formats', { format: 'date' }, '2023-02-29', [' format']],
  ])('reads %s', (_what, schema, value, problems) => {
    expect(keywordsIn(schema, value)).toEqual(problems);
  });

  it('matches patterns in linear time', () => {
    expect(keywordsIn({ pattern: '^(a+)+$' }, `${'a'.repeat(5_000)}!`)).toEqual([' pattern']);
  });

  it.each<[unknown, Partial<SchemaRefused>]>([
    [{ type: 'text' }, { reason: 'invalid', path: '/type' }],
    [{ $ref: 'https://example.test/x.json' }, { reason: 'remote-reference' }],
    [{ pattern: '(a)\\1' }, { reason: 'too-complex' }],
  ])('is refused for %j', (schema, refused) => {
    expect(() => createValueChecker(schema)).toThrow(
      expect.objectContaining({ name: 'SchemaRefused', ...refused }),
    );
  });

  it('refuses a schema that refers to itself without end', () => {
    const checker = createValueChecker({
      $ref: '#/$defs/a',
      $defs: { a: { allOf: [{ $ref: '#/$defs/a' }] } },
    });
    expect(() => checker.problems(1)).toThrow(expect.objectContaining({ reason: 'too-complex' }));
  });
});
