import { describe, expect, it } from 'vitest';
import { keywordCases } from '../../testing/keyword-cases.ts';
import { compileSchema } from '../compile-schema.ts';
import { SchemaValidator } from '../validate-schema.ts';
import { PatternLibrary } from '../values/pattern-library.ts';
import { examineSchema } from './examine-schema.ts';

const tools = { validator: new SchemaValidator(), patterns: new PatternLibrary() };
const examine = (schema: unknown) => examineSchema(schema, tools);

const text = { type: 'string' };
const object = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});

describe('a schema that cannot be used', () => {
  it.each([
    [{ properties: { a: { type: 'text' } } }, 'invalid', '/properties/a/type'],
    [object({ n: { type: 'integer', minimum: 3, maximum: 2 } }), 'unsatisfiable', '/properties/n'],
    [{ $ref: 'https://example.com/a.json' }, 'remote-reference', '/$ref'],
    [{ $ref: '#/$defs/none' }, 'invalid', '/$ref'],
    ['text', 'invalid', ''],
  ])('is reported with its reason and path: %j', (schema, reason, path) => {
    const { problems, ...rest } = examine(schema);
    expect(problems).toEqual([{ reason, path, message: expect.stringMatching(/\.$/) }]);
    expect(rest).toEqual({
      valid: false,
      enforced: [],
      validatedOnly: [],
      mayBeInvented: [],
      mayVanish: [],
      smallestAnswerTokens: null,
      repairedSchema: null,
    });
  });
});

describe('the keywords of a schema', () => {
  it('are enforced unless the compiler leaves them to validation', () => {
    const { enforced, validatedOnly } = examine({
      type: 'object',
      properties: { a: { type: 'string', pattern: '^a\\b' }, b: { $ref: '#/$defs/b' } },
      $defs: { b: { type: 'string', pattern: '^b$' }, unused: { minLength: 3 } },
    });
    expect(enforced).toEqual([
      { path: '', keyword: 'type' },
      { path: '', keyword: 'properties' },
      { path: '/properties/a', keyword: 'type' },
      { path: '/properties/b', keyword: '$ref' },
      { path: '/$defs/b', keyword: 'type' },
      { path: '/$defs/b', keyword: 'pattern' },
    ]);
    expect(validatedOnly).toEqual([
      { path: '/properties/a', keyword: 'pattern', message: expect.any(String) },
    ]);
  });

  it('are not reported as enforced if the compiler names their enclosing schema', () => {
    const { enforced, validatedOnly } = examine({
      type: 'array',
      allOf: [{ contains: { const: 1 } }, { contains: { const: 2 } }],
    });
    expect(validatedOnly.map(({ keyword }) => keyword)).toEqual(['contains']);
    expect(enforced.filter(({ keyword }) => keyword === 'contains').length).toBeLessThan(2);
  });

  it('are not annotations', () => {
    const { enforced } = examine({
      title: 'T',
      description: 'D',
      default: 1,
      examples: [1],
      type: 'integer',
    });
    expect(enforced).toEqual([{ path: '', keyword: 'type' }]);
  });
});

describe('a field', () => {
  const cases: readonly (readonly [string, object, readonly string[], readonly string[]])[] = [
    ['that is required and not nullable may be invented', object({ a: text }), ['/a'], []],
    ['that is not required may vanish', object({ a: text }, []), [], ['/a']],
    ['that is required and nullable is safe', object({ a: { type: ['string', 'null'] } }), [], []],
    ['of any type is safe', object({ a: {} }), [], []],
    ['that has only one value is safe', object({ a: { const: 'invoice' }, b: { enum: [1] } }), [], []],
    ['with null among its values is safe', object({ a: { enum: ['x', 'y', null] } }), [], []],
    ['that is an enum may be invented', object({ a: { enum: ['x', 'y'] } }), ['/a'], []],
    ['that may be an empty array is safe', object({ a: { type: 'array', items: text } }), [], []],
    [
      'that is a non-empty array may be invented',
      object({ a: { type: 'array', items: text, minItems: 1 } }),
      ['/a'],
      [],
    ],
    [
      'that is a non-empty map may be invented',
      object({ a: { type: 'object', additionalProperties: text, minProperties: 1 } }),
      ['/a'],
      [],
    ],
    ['without a type is what its keywords speak of', object({ a: { minLength: 2 } }), ['/a'], []],
    [
      'inside of objects and arrays is found',
      object({ a: object({ b: text, c: text }, ['b']), l: { type: 'array', items: object({ d: text }) } }),
      ['/a/b', '/l/*/d'],
      ['/a/c'],
    ],
    [
      'inside of tuples and maps is found',
      {
        type: 'object',
        properties: { t: { type: ['array', 'null'], prefixItems: [object({ a: text })] } },
        required: ['t'],
        additionalProperties: object({ b: text }, []),
      },
      ['/t/0/a'],
      ['/*/b'],
    ],
    [
      'is found through references, at each of its paths',
      {
        ...object({ x: { $ref: '#/$defs/p' }, y: { $ref: '#/$defs/p' } }),
        $defs: { p: object({ a: text }) },
      },
      ['/x/a', '/y/a'],
      [],
    ],
    [
      'of a recursive schema is found once',
      object({ name: text, children: { type: 'array', items: { $ref: '#' } } }),
      ['/name'],
      [],
    ],
    [
      'may be required by another part of allOf',
      { properties: { a: text }, allOf: [{ required: ['a'] }] },
      ['/a'],
      [],
    ],
    [
      'may be nullable by one part, but must be by all',
      { ...object({ a: { type: ['string', 'null'] } }), allOf: [{ properties: { a: text } }] },
      ['/a'],
      [],
    ],
    [
      'may vanish when only some alternatives require it',
      { properties: { a: { type: ['string', 'null'] } }, anyOf: [{ required: ['a'] }, { minProperties: 0 }] },
      [],
      ['/a'],
    ],
    [
      'does not vanish when all alternatives require it',
      {
        properties: { a: { type: ['string', 'null'] } },
        oneOf: [
          { properties: { k: { const: 1 } }, required: ['a', 'k'] },
          { properties: { k: { const: 2 } }, required: ['a', 'k'] },
        ],
      },
      [],
      [],
    ],
    ['of an alternative is found', { anyOf: [{ type: 'null' }, object({ a: text })] }, ['/a'], []],
    [
      'of a conditional part is found',
      {
        ...object({ kind: { enum: ['a', 'b', null] } }),
        if: { properties: { kind: { const: 'a' } } },
        // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
        then: { properties: { x: text }, required: ['x'] },
        else: { properties: { y: text } },
      },
      ['/x'],
      ['/y'],
    ],
    ['that can never be there is none', { type: 'object', properties: { a: false } }, [], []],
    [
      'with odd characters has an escaped path',
      object({ 'a/b~c': text, __proto__x: text }),
      ['/a~1b~0c', '/__proto__x'],
      [],
    ],
    ['that is named in required alone may be any value', { type: 'object', required: ['a'] }, [], []],
    [
      'that is only listed in required is an additional property',
      { type: 'object', required: ['a'], additionalProperties: text },
      ['/a'],
      [],
    ],
  ];

  it.each(cases)('%s', (_, schema, mayBeInvented, mayVanish) => {
    const report = examine(schema);
    expect(report).toMatchObject({ valid: true, mayBeInvented, mayVanish });
    expect(examine(report.repairedSchema)).toMatchObject({ valid: true, mayBeInvented: [], mayVanish: [] });
  });
});

describe('the repaired schema', () => {
  const repaired = (schema: unknown) => examine(schema).repairedSchema;

  it('has every field required, and null for those that may be missing, also in $defs', () => {
    const schema = {
      ...object({ kind: { const: 'invoice' }, who: { $ref: '#/$defs/who' }, tags: { type: 'array' } }, [
        'kind',
      ]),
      $defs: {
        who: object({ name: { type: 'string', description: 'As written.' }, size: { enum: ['s', 'l'] } }),
      },
    };
    expect(repaired(schema)).toEqual({
      type: 'object',
      properties: {
        kind: { const: 'invoice' },
        who: { anyOf: [{ $ref: '#/$defs/who' }, { type: 'null' }] },
        tags: { type: ['array', 'null'] },
      },
      required: ['kind', 'who', 'tags'],
      $defs: {
        who: object({
          name: { type: ['string', 'null'], description: 'As written.' },
          size: { enum: ['s', 'l', null] },
        }),
      },
    });
  });

  it('makes optional constants nullable, but not discriminators', () => {
    expect(repaired(object({ a: { const: true } }, []))).toEqual(object({ a: { enum: [true, null] } }));
    const alternatives = { oneOf: [object({ k: { const: 1 } }, []), object({ k: { const: 2 } }, [])] };
    expect(repaired(alternatives)).toEqual({
      oneOf: [object({ k: { const: 1 } }), object({ k: { const: 2 } })],
    });
  });

  it('keeps descriptions outside when it adds an alternative', () => {
    const schema = object({ a: { description: 'The buyer.', allOf: [text] } });
    expect(repaired(schema)).toEqual(
      object({ a: { description: 'The buyer.', anyOf: [{ allOf: [text] }, { type: 'null' }] } }),
    );
  });

  it('is the schema itself when nothing is found', () => {
    const schema = object({ a: { type: ['string', 'null'] } });
    expect(repaired(schema)).toBe(schema);
  });

  it('changes referenced schemas outside the known keywords', () => {
    const schema = { ...object({ a: { $ref: '#/shared/party' } }), shared: { party: object({ n: text }) } };
    expect(repaired(schema)).toMatchObject({
      shared: { party: object({ n: { type: ['string', 'null'] } }) },
    });
  });

  it('raises maxProperties for the fields it requires', () => {
    expect(repaired({ ...object({ a: text, b: text }, []), maxProperties: 1 })).toMatchObject({
      maxProperties: 2,
    });
  });

  it('ends a recursion through an optional field with null', () => {
    const schema = object({ next: { $ref: '#' } }, []);
    expect(repaired(schema)).toEqual(object({ next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } }));
  });

  it('is none when requiring everything contradicts the schema', () => {
    const schema = { ...object({ a: text, b: text }, []), oneOf: [{ required: ['a'] }, { required: ['b'] }] };
    expect(examine(schema)).toMatchObject({ valid: true, mayVanish: ['/b', '/a'], repairedSchema: null });
  });

  it.each(keywordCases.map(({ name, schema }) => [name, schema] as const))(
    'of a schema with %s compiles and has no findings; the smallest answer is known for both',
    (_, schema) => {
      const isSelfContained = !/"\$(ref|recursiveRef)":"#/.test(JSON.stringify(schema));
      const first = examine(isSelfContained ? object({ field: schema }) : schema);
      expect(first).toMatchObject({ valid: true, smallestAnswerTokens: expect.any(Number) });
      if (first.repairedSchema === null) return;
      const second = examine(first.repairedSchema);
      expect(second).toMatchObject({ valid: true, mayBeInvented: [], mayVanish: [] });
      expect(second.smallestAnswerTokens).toEqual(expect.any(Number));
      expect(second.repairedSchema).toEqual(first.repairedSchema);
    },
  );
});

describe('the smallest answer', () => {
  it.each([
    [{ type: 'boolean' }, 1],
    [{ const: 'x'.repeat(38) }, 10],
    [object({ a: text }), 2],
    [{ type: 'array', items: { enum: ['abc', 'a'] }, minItems: 2 }, 3],
    [{ type: 'string', pattern: '^\\d{40}$' }, 11],
    [{ type: 'string', const: 'é"\u{1f600}' }, 2],
    [true, 1],
  ])('of %j has about %i tokens', (schema, tokens) => {
    expect(examine(schema).smallestAnswerTokens).toBe(tokens);
  });
});

it('takes bounded time for schemas whose paths double at every level', () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 40 }, (_, level) => [
      `d${level}`,
      level === 39
        ? object({ x: text })
        : object({ l: { $ref: `#/$defs/d${level + 1}` }, r: { $ref: `#/$defs/d${level + 1}` } }),
    ]),
  );
  const schema = { $ref: '#/$defs/d0', $defs };
  expect(() => compileSchema(schema, tools)).not.toThrow();
  const report = examine(schema);
  expect(report.valid).toBe(true);
  expect(report.mayBeInvented.length).toBeLessThan(5_000);
  expect(report.repairedSchema).toMatchObject({
    $defs: { d39: object({ x: { type: ['string', 'null'] } }) },
  });
});
