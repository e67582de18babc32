import { describe, expect, it } from 'vitest';
import { parseGbnf } from '../testing/gbnf-grammar.ts';
import { GbnfMatcher } from '../testing/gbnf-matcher.ts';
import { keywordCases } from '../testing/keyword-cases.ts';
import { type CompileOptions, compileSchema } from './compile-schema.ts';
import type { Json } from './terms/json.ts';
import { SchemaRefused } from './terms/schema-refused.ts';
import { createAjv, draftOf, SchemaValidator } from './validate-schema.ts';

const validator = new SchemaValidator();
const compile = (schema: unknown, options: CompileOptions = {}) =>
  compileSchema(schema, { validator, ...options });
const matcherOf = (schema: unknown) => new GbnfMatcher(parseGbnf(compile(schema).grammar));

function refusal(schema: unknown, options: CompileOptions = {}): SchemaRefused {
  try {
    compile(schema, options);
  } catch (error) {
    if (error instanceof SchemaRefused) return error;
    throw error;
  }
  throw new Error('the schema was compiled');
}

/** The recursive rules. */
function recursiveRules(grammar: string): readonly string[] {
  const named = new Map(
    grammar.split('\n').flatMap((line) => {
      const [name = '', body] = line.split(' ::= ');
      const plain = body?.replaceAll(/"(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]/g, ' ');
      return plain === undefined ? [] : [[name, plain.match(/[a-z][\w-]*/g) ?? []] as const];
    }),
  );
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    (named.get(from) ?? []).some((next) => {
      if (next === to) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, to, seen);
    });
  return [...named.keys()].filter((name) => reaches(name, name));
}

const ajvs = {
  'draft-07': createAjv('draft-07'),
  '2019-09': createAjv('2019-09'),
  '2020-12': createAjv('2020-12'),
};

/** By one Ajv per draft: creating one takes longer than most tests. */
function validatorOf(schema: object) {
  const ajv = ajvs[draftOf(schema)];
  try {
    return ajv.compile(schema);
  } finally {
    // The next may have the same `$id`.
    ajv.removeSchema(schema);
  }
}

describe('the grammar of a schema', () => {
  it.each(keywordCases)('enforces $name', ({ schema, accepted, refused }) => {
    const { grammar, leftToValidation } = compile(schema);
    const matcher = new GbnfMatcher(parseGbnf(grammar));
    const validate = validatorOf(schema);
    for (const value of accepted) {
      expect([value, validate(value), matcher.matches(JSON.stringify(value))]).toEqual([value, true, true]);
    }
    for (const value of refused) {
      expect([value, validate(value), matcher.matches(JSON.stringify(value))]).toEqual([value, false, false]);
    }
    expect(leftToValidation).toEqual([]);
  });

  it.each([
    ['keys in another order', { properties: { a: {}, b: {} } }, { b: 1, a: 1 }],
    ['keys that no schema describes', { properties: { a: {} } }, { b: 1 }],
    ['items after a tuple that says nothing of them', { prefixItems: [{}] }, [1, 2]],
    ['an exponent within a range', { type: 'number', minimum: 1 }, 1e21],
    ['values of types the keywords do not speak of', { minLength: 1 }, 1],
  ])('refuses by policy %s', (_, schema, value) => {
    expect(validatorOf(schema)(value)).toBe(true);
    expect(matcherOf(schema).matches(JSON.stringify(value))).toBe(false);
  });

  it('allows one space after a colon, a comma and inside brackets, and no more', () => {
    const matcher = matcherOf({ properties: { a: {}, b: { items: {} } } });
    for (const text of ['{"a":1,"b":[1,2]}', '{ "a": 1, "b": [ 1, 2 ] }', '{ }']) {
      expect([text, matcher.matches(text)]).toEqual([text, true]);
    }
    for (const text of ['{"a":  1}', '{"a":\n1}', '{"a" :1}', ' {}', '{} ']) {
      expect([text, matcher.matches(text)]).toEqual([text, false]);
    }
  });

  // Not compared with Ajv, which supports a dynamic anchor only at the root of a schema with an $id.
  it('resolves $dynamicRef to the outermost anchor, that of the root', () => {
    const matcher = matcherOf({
      $id: 'https://example.com/numbers',
      $ref: 'list',
      $defs: {
        item: { $dynamicAnchor: 'item', type: 'number' },
        list: {
          $id: 'list',
          type: 'array',
          items: { $dynamicRef: '#item' },
          $defs: { item: { $dynamicAnchor: 'item', type: 'string' } },
        },
      },
    });
    expect(['[1]', '["a"]'].map((text) => matcher.matches(text))).toEqual([true, false]);
  });

  it('writes undescribed keys with unnamedKeys: where-allowed', () => {
    const { grammar } = compile({ properties: { a: { type: 'string' } } }, { unnamedKeys: 'where-allowed' });
    const matcher = new GbnfMatcher(parseGbnf(grammar));
    expect(matcher.matches('{"a":"x","b":1}')).toBe(true);
    expect(matcher.matches('{"b":1,"a":1}')).toBe(false);
  });

  it('never writes a named key as another key', () => {
    const names = ['na', 'name', 'nose', 'a"b', 'a/b', 'tab\t', '𝄞', ''];
    const shape = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, false])) };
    const schema = { type: 'object', required: ['inner'], properties: { ...shape.properties, inner: shape } };
    const { grammar } = compile(schema, { unnamedKeys: 'where-allowed' });
    const matcher = new GbnfMatcher(parseGbnf(grammar));
    const matches = (key: string) => [
      matcher.matches(JSON.stringify({ inner: {}, [key]: 1 })),
      matcher.matches(JSON.stringify({ inner: { [key]: 1 } })),
    ];
    for (const name of names) expect([name, ...matches(name)]).toEqual([name, false, false]);
    for (const key of ['n', 'nam', 'names', 'no', 'x', 'a', 'a"', 'a"bc', 'tab', '𝄞𝄞', '"', ' ']) {
      expect([key, ...matches(key)]).toEqual([key, true, true]);
    }
  });

  it.each([
    ['^[a-c]{2,5}$', ['ab', 'abcab'], ['a', 'abcabc', 'abd']],
    ['^(ab|cd)?x{0,3}$', ['', 'ab', 'cdxxx', 'xx'], ['abxxxx', 'a', 'xxxx']],
    ['^word-[0-9]{3}(-end)?$', ['word-123', 'word-123-end'], ['word-12', 'word-123-', 'ord-123']],
    ['^a{1,3}b{0,2}$', ['a', 'aaabb', 'ab'], ['b', 'aaaab', 'abbb']],
  ])('writes the pattern %s, with its tail as a repetition', (pattern, accepted, refused) => {
    const matcher = matcherOf({ type: 'string', pattern });
    for (const value of accepted)
      expect([value, matcher.matches(JSON.stringify(value))]).toEqual([value, true]);
    for (const value of refused)
      expect([value, matcher.matches(JSON.stringify(value))]).toEqual([value, false]);
  });

  it('excludes numbers with any trailing zeros', () => {
    const matcher = matcherOf({ type: 'number', minimum: -9, not: { enum: [0, 1.5, -2] } });
    for (const text of ['0', '-0', '0.0', '-0.00', '1.5', '1.500', '-2', '-2.0']) {
      expect([text, matcher.matches(text)]).toEqual([text, false]);
    }
    for (const text of ['1', '-1.5', '1.51', '2', '-2.01', '10', '0.1']) {
      expect([text, matcher.matches(text)]).toEqual([text, true]);
    }
  });

  it.each([
    ['rounds', '^([a-z]+/)*$'],
    ['rounds within rounds', '^(([a-z]+-)+/)*$'],
    ['rounds four deep', '^((((a+b)+c)+d)+e)+$'],
    ['rounds of many steps', '^(abcdefghijklmnopqrstuvwxyz)*$'],
    ['rounds of many steps, at least so long', '^(abcdefghijklmnopqrstuvwxyz)*$', 30],
  ])('bounds a pattern with %s: no rule is recursive', (_name, pattern, minLength = 0) => {
    const { grammar } = compile({ type: 'string', pattern, minLength });
    expect(grammar).not.toMatch(/[*+]|\{\d+,\}/);
    expect(recursiveRules(grammar)).toEqual([]);
  });

  it('bounds everything that the schema leaves unbounded', () => {
    const caps = { stringLength: 3, items: 2, openProperties: 2, patternLength: 4 };
    const accepts = (schema: unknown, value: Json) =>
      new GbnfMatcher(parseGbnf(compile(schema, { caps }).grammar)).matches(JSON.stringify(value));
    expect(accepts({ type: 'string' }, 'abc')).toBe(true);
    expect(accepts({ type: 'string' }, 'abcd')).toBe(false);
    expect(accepts({ type: 'string', minLength: 5 }, 'abcde')).toBe(true);
    expect(accepts({ type: 'string', pattern: '^a*$' }, 'aaaa')).toBe(true);
    expect(accepts({ type: 'string', pattern: '^a*$' }, 'aaaaa')).toBe(false);
    expect(accepts({ type: 'array', items: { type: 'null' } }, [null, null])).toBe(true);
    expect(accepts({ type: 'array', items: { type: 'null' } }, [null, null, null])).toBe(false);
  });

  it('shares rules between objects with the same last properties', () => {
    const properties = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`key${index}`, {}]));
    const variants = Array.from({ length: 40 }, (_, index) => ({
      properties: { kind: { const: index } },
      allOf: [{ $ref: '#/$defs/common' }],
    }));
    const { grammar } = compile({ oneOf: variants, $defs: { common: { type: 'object', properties } } });
    expect(grammar.split('\n').length).toBeLessThan(400);
  });

  it('writes other types if those its keywords apply to have no value', () => {
    const matcher = matcherOf({ contains: false });
    expect(['1', '"a"', '[]'].map((text) => matcher.matches(text))).toEqual([true, true, false]);
  });

  it('does not branch into many parses on a long enum', () => {
    const values = Array.from({ length: 300 }, (_, index) => `value-${index}`);
    const listed = matcherOf({ enum: values });
    expect(listed.matches('"value-299"')).toBe(true);
    expect(listed.widest).toBeLessThan(20);
  });
});

describe('a keyword that a grammar cannot enforce', () => {
  it.each([
    ['pattern', { type: 'string', pattern: '\\ba' }],
    ['pattern', { type: 'string', pattern: '(?<=-)a' }],
    ['format', { type: 'string', format: 'uri-template' }],
    ['uniqueItems', { type: 'array', items: { type: 'string' }, uniqueItems: true }],
    ['multipleOf', { type: 'number', multipleOf: 0.00001 }],
    ['minimum', { type: 'number', minimum: 1.5e300 }],
    ['not', { type: 'array', not: { contains: { const: 1 } } }],
    ['not', { type: 'array', items: {}, not: { const: [1] } }],
    [
      '$dynamicRef',
      {
        $ref: 'urn:first',
        $defs: {
          first: { $id: 'urn:first', $dynamicAnchor: 'node', properties: { next: { $dynamicRef: '#node' } } },
          second: { $id: 'urn:second', $dynamicAnchor: 'node', $ref: 'urn:first' },
        },
      },
    ],
    ['contains', { type: 'array', allOf: [{ contains: { const: 1 } }, { contains: { const: 2 } }] }],
  ])('is left to validation: %s', (keyword, schema) => {
    const { leftToValidation } = compile({ properties: { field: schema } });
    expect(leftToValidation.map((remark) => remark.keyword)).toEqual([keyword]);
    expect(leftToValidation[0]?.path).toMatch(/^\/properties\/field/);
  });
});

describe('a pattern that would take too long', () => {
  it.each([
    ['unfolds to too many states', '^(a{1,99}){1,99}$'],
    ['doubles its states with each character', '^[ab]*a[ab]{40}$'],
    ['looks ahead for much', `^${['a', 'b', 'c', 'd', 'e'].map((c) => `(?=.*${c}.{9}${c})`).join('')}.*$`],
  ])('is left to validation: one that %s', (_, pattern) => {
    const { leftToValidation } = compile({ type: 'string', pattern });
    expect(leftToValidation.map(({ keyword }) => keyword)).toEqual(['pattern']);
  });
});

describe('a schema is refused', () => {
  it.each([
    ['as invalid, with the path', { properties: { a: { type: 'text' } } }, 'invalid', '/properties/a/type'],
    ['as invalid when it is no schema at all', 'string', 'invalid', ''],
    ['for a pattern that is none', { pattern: '(' }, 'invalid', '/pattern'],
    [
      'for a back-reference, which cannot be matched in linear time',
      { properties: { a: { pattern: '^(a+)+\\1b$' } } },
      'too-complex',
      '/properties/a',
    ],
    ['for a pattern of keys with one', { patternProperties: { '(a)\\1': {} } }, 'too-complex', ''],
    ['for one that values are held against', { pattern: '^(a+)+\\1b$', enum: ['a'] }, 'too-complex', ''],
    ['for a pattern that unfolds to too much', { pattern: '^((a?){300}){300}$' }, 'too-complex', ''],
    [
      'for a reference to another document',
      { $ref: 'https://example.com/a.json' },
      'remote-reference',
      '/$ref',
    ],
    ['for a reference to nothing', { $ref: '#/$defs/missing' }, 'invalid', '/$ref'],
    ['when false', false, 'unsatisfiable', ''],
    [
      'when a required property has no value, with its path',
      {
        type: 'object',
        required: ['a'],
        properties: { a: { $ref: '#/$defs/none' } },
        $defs: { none: { enum: [] } },
      },
      'unsatisfiable',
      '/properties/a',
    ],
    [
      'when a recursion has no end',
      { type: 'object', properties: { next: { $ref: '#' } }, required: ['next'] },
      'unsatisfiable',
      '',
    ],
    [
      'when bounds cross',
      { type: 'object', required: ['n'], properties: { n: { type: 'integer', minimum: 3, maximum: 2 } } },
      'unsatisfiable',
      '/properties/n',
    ],
  ])('%s', (_, schema, reason, path) => {
    const { reason: found, path: place, message } = refusal(schema);
    expect({ reason: found, path: place }).toEqual({ reason, path });
    expect(message).toMatch(/\.$/);
  });

  it('when it takes too long', () => {
    let milliseconds = 0;
    const nowMs = () => {
      milliseconds += 10;
      return milliseconds;
    };
    const patterns = { properties: { a: { pattern: 'a' }, b: { pattern: 'b' } } };
    const { reason, message } = refusal(patterns, {
      clock: { nowMs, cpuMs: () => undefined },
      timeLimitMs: 5,
    });
    expect(reason).toBe('too-complex');
    expect(message).toContain('5 ms');
  });

  it('when it nests too deep', () => {
    let schema: Json = {};
    for (let level = 0; level < 500; level++) schema = { items: schema };
    expect(refusal(schema).reason).toBe('too-complex');
  });
});

describe('a schema of an older draft', () => {
  it('is read with its boolean exclusiveMinimum', () => {
    const draft4 = 'http://json-schema.org/draft-04/schema#';
    const matcher = matcherOf({
      $schema: draft4,
      type: 'integer',
      minimum: 3,
      exclusiveMinimum: true,
      maximum: 5,
    });
    expect(['3', '4', '5', '6'].map((text) => matcher.matches(text))).toEqual([false, true, true, false]);
  });

  it('may give tuples as a list of items', () => {
    const draft7 = 'http://json-schema.org/draft-07/schema#';
    const matcher = matcherOf({
      $schema: draft7,
      items: [{ type: 'null' }],
      additionalItems: { type: 'boolean' },
    });
    expect(matcher.matches('[null,true]')).toBe(true);
    expect(matcher.matches('[null,1]')).toBe(false);
  });
});
