interface KeywordCase {
  readonly name: string;
  readonly schema: object;
  readonly accepted: readonly unknown[];
  readonly refused: readonly unknown[];
}

const TEXT = { type: 'string' };
const NUMBER = { type: 'number' };

/** For every keyword a schema, values it accepts and values it rejects; keys are in the order of the schema. */
export const keywordCases: readonly KeywordCase[] = [
  {
    name: 'type',
    schema: { type: ['null', 'integer'] },
    accepted: [null, 3, -7],
    refused: [1.5, 'a', true, [], {}],
  },
  {
    name: 'enum',
    schema: { enum: ['a', 1, null, [1, { b: 2 }]] },
    accepted: ['a', 1, null, [1, { b: 2 }]],
    refused: ['b', 2, [1]],
  },
  {
    name: 'enum with type',
    schema: { enum: ['a', 1, 'bcd'], type: 'string', maxLength: 2 },
    accepted: ['a'],
    refused: [1, 'bcd'],
  },
  {
    name: 'const',
    schema: { const: { a: [1, 'é"\n'] } },
    accepted: [{ a: [1, 'é"\n'] }],
    refused: [{ a: [1] }, {}],
  },
  {
    name: 'properties',
    schema: { type: 'object', properties: { a: TEXT, b: NUMBER } },
    accepted: [{}, { a: 'x' }, { b: 1 }, { a: 'x', b: 1.5 }],
    refused: [{ a: 1 }, { b: 'x' }, []],
  },
  {
    name: 'required',
    schema: { type: 'object', properties: { a: TEXT, b: TEXT }, required: ['b'] },
    accepted: [{ b: '' }, { a: '', b: '' }],
    refused: [{}, { a: '' }],
  },
  {
    name: 'required without properties',
    schema: { type: 'object', required: ['a'] },
    accepted: [{ a: 1 }],
    refused: [{}],
  },
  {
    name: 'additionalProperties: false',
    schema: { type: 'object', properties: { a: TEXT }, additionalProperties: false },
    accepted: [{}, { a: '' }],
    refused: [{ b: 1 }, { a: '', aa: 1 }],
  },
  {
    name: 'additionalProperties',
    schema: { type: 'object', properties: { ab: TEXT }, additionalProperties: NUMBER },
    accepted: [{ ab: '' }, { ab: '', a: 1, abc: 2 }, { x: 1 }],
    refused: [{ ab: 1 }, { x: '' }],
  },
  {
    name: 'patternProperties',
    schema: {
      type: 'object',
      patternProperties: { '^n': NUMBER, x$: { type: 'integer' } },
      additionalProperties: false,
    },
    accepted: [{}, { n: 1.5, x: 2, nx: 3 }],
    refused: [{ nx: 1.5 }, { n: 'a' }, { a: 1 }],
  },
  {
    name: 'propertyNames',
    schema: { type: 'object', propertyNames: { pattern: '^[a-c]+$', maxLength: 2 } },
    accepted: [{}, { a: 1, bc: [] }],
    refused: [{ d: 1 }, { abc: 1 }],
  },
  {
    name: 'propertyNames with an enum',
    schema: { type: 'object', propertyNames: { enum: ['a', 'b'] }, additionalProperties: TEXT },
    accepted: [{ a: '' }],
    refused: [{ c: '' }],
  },
  {
    name: 'minProperties',
    schema: { type: 'object', properties: { a: TEXT, b: TEXT, c: TEXT }, minProperties: 2 },
    accepted: [
      { a: '', c: '' },
      { a: '', b: '', c: '' },
    ],
    refused: [{}, { b: '' }],
  },
  {
    name: 'maxProperties',
    schema: { type: 'object', additionalProperties: TEXT, maxProperties: 2 },
    accepted: [{}, { a: '' }, { a: '', b: '' }],
    refused: [{ a: '', b: '', c: '' }],
  },
  {
    name: 'dependentRequired',
    schema: { type: 'object', properties: { a: TEXT, b: TEXT }, dependentRequired: { a: ['b'] } },
    accepted: [{}, { b: '' }, { a: '', b: '' }],
    refused: [{ a: '' }],
  },
  {
    name: 'dependentSchemas',
    schema: {
      type: 'object',
      properties: { a: TEXT, b: {} },
      dependentSchemas: { a: { properties: { b: NUMBER } } },
    },
    accepted: [{ b: 'x' }, { a: '', b: 1 }],
    refused: [{ a: '', b: 'x' }],
  },
  {
    name: 'dependencies',
    schema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { a: TEXT, b: TEXT },
      dependencies: { a: ['b'] },
    },
    accepted: [{ b: '' }, { a: '', b: '' }],
    refused: [{ a: '' }],
  },
  {
    name: 'items',
    schema: { type: 'array', items: NUMBER },
    accepted: [[], [1], [1, 2.5]],
    refused: [['a'], [1, null]],
  },
  { name: 'items: false', schema: { type: 'array', items: false }, accepted: [[]], refused: [[1]] },
  {
    name: 'prefixItems',
    schema: { type: 'array', prefixItems: [TEXT, NUMBER], items: { type: 'null' } },
    accepted: [[], ['a'], ['a', 1], ['a', 1, null, null]],
    refused: [[1], ['a', 'b'], ['a', 1, 2]],
  },
  {
    name: 'contains',
    schema: { type: 'array', items: NUMBER, contains: { type: 'number', minimum: 5 } },
    accepted: [[5], [1, 2, 9], [9, 1]],
    refused: [[], [1, 2]],
  },
  {
    name: 'minContains and maxContains',
    schema: {
      type: 'array',
      items: { enum: [1, 2] },
      contains: { const: 1 },
      minContains: 1,
      maxContains: 2,
    },
    accepted: [[1], [2, 1, 1], [1, 2]],
    refused: [[], [2], [1, 1, 1]],
  },
  {
    name: 'minItems and maxItems',
    schema: { type: 'array', items: NUMBER, minItems: 1, maxItems: 3 },
    accepted: [[1], [1, 2, 3]],
    refused: [[], [1, 2, 3, 4]],
  },
  {
    name: 'uniqueItems of an enum',
    schema: { type: 'array', items: { enum: ['a', 'b', 'c'] }, uniqueItems: true, minItems: 1 },
    accepted: [['a'], ['c', 'a', 'b']],
    refused: [[], ['a', 'a'], ['a', 'b', 'a']],
  },
  {
    name: 'minLength and maxLength',
    schema: { type: 'string', minLength: 2, maxLength: 3 },
    accepted: ['ab', 'é"\n', '😀😀😀'],
    refused: ['', 'a', 'abcd'],
  },
  {
    name: 'pattern',
    schema: { type: 'string', pattern: '^[A-Z]{2}\\d+$' },
    accepted: ['AB1', 'XY123'],
    refused: ['AB', 'ab1', 'AB1 '],
  },
  {
    name: 'pattern without anchors',
    schema: { type: 'string', pattern: 'b"' },
    accepted: ['b"', 'ab"c'],
    refused: ['', 'b', '"b'],
  },
  {
    name: 'pattern with a length',
    schema: { type: 'string', pattern: '^a+b*$', minLength: 3, maxLength: 4 },
    accepted: ['aab', 'aaaa'],
    refused: ['ab', 'aaabb'],
  },
  {
    name: 'format date',
    schema: { type: 'string', format: 'date' },
    accepted: ['2024-02-29', '1999-12-31'],
    refused: ['2023-02-29', '2024-13-01', '24-1-1'],
  },
  {
    name: 'format date-time',
    schema: { type: 'string', format: 'date-time' },
    accepted: ['2024-02-29T23:59:59Z', '2024-01-01T00:00:00.5+02:00'],
    refused: ['2024-01-01', '2024-01-01T24:00:00Z'],
  },
  {
    name: 'format email',
    schema: { type: 'string', format: 'email' },
    accepted: ['a.b@example.com'],
    refused: ['a', '@b.c', 'a@b'],
  },
  {
    name: 'format ipv6',
    schema: { type: 'string', format: 'ipv6' },
    accepted: ['::1', '2001:db8::8:800:200c:417a', '1:2:3:4:5:6:7:8'],
    refused: ['1::2::3', '12345::', '1:2'],
  },
  {
    name: 'format uuid',
    schema: { type: 'string', format: 'uuid' },
    accepted: ['123e4567-e89b-12d3-a456-426614174000'],
    refused: ['123e4567'],
  },
  {
    name: 'format uri',
    schema: { type: 'string', format: 'uri' },
    accepted: ['https://example.com/a?b=c#d', 'urn:isbn:1'],
    refused: ['/a', 'a b:c'],
  },
  {
    name: 'a maximum as large as numbers can be',
    schema: { type: 'number', minimum: 0, maximum: Number.MAX_VALUE },
    accepted: [0, 0.25, 123_456],
    refused: [-1, -0.5],
  },
  {
    name: 'bounds as far as numbers can be',
    schema: { type: 'integer', minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE },
    accepted: [0, -7, 123_456],
    refused: [0.5],
  },
  {
    name: 'minimum and maximum',
    schema: { type: 'number', minimum: -1.5, maximum: 10 },
    accepted: [-1.5, 0, 3.25, 10],
    refused: [-1.6, 10.1, 11],
  },
  {
    name: 'exclusiveMinimum and exclusiveMaximum',
    schema: { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 12 },
    accepted: [1, 11],
    refused: [0, 12, -1, 1.5],
  },
  {
    name: 'multipleOf',
    schema: { type: 'number', multipleOf: 0.25 },
    accepted: [0, 0.25, -1.5, 10],
    refused: [0.1, 0.3],
  },
  {
    name: 'multipleOf an integer',
    schema: { type: 'integer', multipleOf: 7, minimum: 10, maximum: 30 },
    accepted: [14, 21, 28],
    refused: [7, 10, 35],
  },
  {
    name: 'allOf',
    schema: {
      allOf: [
        { type: 'object', properties: { a: TEXT } },
        { properties: { b: NUMBER }, required: ['b'] },
      ],
    },
    accepted: [{ b: 1 }, { a: '', b: 1 }],
    refused: [{}, { a: '' }, { b: '' }],
  },
  {
    name: 'anyOf',
    schema: { anyOf: [{ type: 'string', maxLength: 1 }, { type: 'integer' }] },
    accepted: ['', 'a', 3],
    refused: ['ab', 1.5, null],
  },
  {
    name: 'anyOf beside other keywords',
    schema: { type: 'integer', anyOf: [{ maximum: 2 }, { minimum: 8 }] },
    accepted: [1, 2, 8],
    refused: [3, 7],
  },
  {
    name: 'oneOf',
    schema: {
      oneOf: [
        { type: 'integer', minimum: 3 },
        { type: 'integer', maximum: 5 },
      ],
    },
    accepted: [2, 6],
    refused: [3, 4, 5],
  },
  {
    name: 'oneOf with a discriminator',
    schema: {
      oneOf: [
        { type: 'object', properties: { kind: { const: 'a' }, n: NUMBER }, required: ['kind', 'n'] },
        { type: 'object', properties: { kind: { const: 'b' }, s: TEXT }, required: ['kind', 's'] },
      ],
    },
    accepted: [
      { kind: 'a', n: 1 },
      { kind: 'b', s: '' },
    ],
    refused: [{ kind: 'a' }, { kind: 'a', s: '' }],
  },
  {
    name: 'not',
    schema: { type: 'string', not: { enum: ['a', 'bc'] } },
    accepted: ['', 'b', 'bcd'],
    refused: ['a', 'bc'],
  },
  {
    name: 'not with a number',
    schema: { type: 'number', not: { const: 1 } },
    accepted: [0, 1.5, 10],
    refused: [1],
  },
  {
    name: 'not with a pattern',
    schema: { type: 'string', not: { pattern: '^a' } },
    accepted: ['', 'ba'],
    refused: ['a', 'ab'],
  },
  {
    name: 'if, then and else',
    schema: {
      type: 'object',
      properties: { kind: { enum: ['a', 'b'] }, n: {} },
      required: ['kind'],
      if: { properties: { kind: { const: 'a' } } },
      // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
      then: { required: ['n'] },
      else: { properties: { n: false } },
    },
    accepted: [{ kind: 'a', n: 1 }, { kind: 'b' }],
    refused: [{ kind: 'a' }, { kind: 'b', n: 1 }],
  },
  {
    name: '$ref and $defs',
    schema: {
      $defs: { id: { type: 'integer' } },
      type: 'object',
      properties: { id: { $ref: '#/$defs/id', minimum: 1 } },
    },
    accepted: [{ id: 1 }],
    refused: [{ id: 0 }, { id: 'a' }],
  },
  {
    name: '$anchor',
    schema: { $defs: { x: { $anchor: 'name', type: 'string' } }, items: { $ref: '#name' } },
    accepted: [['a']],
    refused: [[1]],
  },
  {
    name: '$id',
    schema: {
      $id: 'https://example.com/root',
      $defs: { x: { $id: 'inner', $defs: { y: { type: 'null' } } } },
      items: { $ref: 'inner#/$defs/y' },
    },
    accepted: [[null]],
    refused: [[1]],
  },
  {
    name: 'recursion',
    schema: {
      type: 'object',
      properties: { value: NUMBER, next: { $ref: '#' } },
      required: ['value'],
      additionalProperties: false,
    },
    accepted: [{ value: 1 }, { value: 1, next: { value: 2, next: { value: 3 } } }],
    refused: [{ next: { value: 1 } }, { value: 1, next: {} }],
  },
  {
    name: 'unevaluatedProperties',
    schema: { type: 'object', properties: { a: TEXT }, unevaluatedProperties: false },
    accepted: [{}, { a: '' }],
    refused: [{ b: 1 }],
  },
  {
    name: 'unevaluatedItems',
    schema: { type: 'array', prefixItems: [TEXT], unevaluatedItems: NUMBER },
    accepted: [['a', 1]],
    refused: [['a', 'b']],
  },
  {
    name: 'unevaluatedProperties beside allOf',
    schema: { type: 'object', allOf: [{ properties: { a: TEXT } }], unevaluatedProperties: false },
    accepted: [{}, { a: '' }],
    refused: [{ a: 1 }, { b: 1 }],
  },
  {
    name: 'unevaluatedProperties beside a conditional property',
    schema: {
      type: 'object',
      if: { properties: { kind: { const: 'big' } }, required: ['kind'] },
      // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
      then: { properties: { size: NUMBER } },
      else: { properties: { note: TEXT } },
      unevaluatedProperties: false,
    },
    accepted: [{}, { note: '' }, { kind: 'big', size: 1 }],
    refused: [{ kind: 'small' }, { size: 1 }, { kind: 'big', note: '' }],
  },
  {
    name: 'unevaluatedProperties in a sibling schema',
    schema: {
      type: 'object',
      allOf: [{ properties: { a: TEXT } }, { properties: { b: TEXT }, unevaluatedProperties: false }],
    },
    accepted: [{}, { b: '' }],
    refused: [{ a: '' }, { c: 1 }],
  },
  {
    name: 'unevaluatedItems in a sibling schema',
    schema: {
      type: 'array',
      allOf: [{ prefixItems: [TEXT, TEXT] }, { prefixItems: [TEXT], unevaluatedItems: false }],
    },
    accepted: [[], ['a']],
    refused: [['a', 'b'], [1]],
  },
  {
    name: 'unevaluatedItems beside $ref',
    schema: {
      type: 'array',
      $ref: '#/$defs/pair',
      unevaluatedItems: { type: 'null' },
      $defs: { pair: { prefixItems: [TEXT, NUMBER] } },
    },
    accepted: [
      ['a', 1],
      ['a', 1, null],
    ],
    refused: [
      ['a', null],
      ['a', 1, 2],
    ],
  },
  {
    name: '$recursiveRef in the only schema that has the anchor',
    schema: {
      $schema: 'https://json-schema.org/draft/2019-09/schema',
      $recursiveAnchor: true,
      type: 'object',
      properties: { inner: { $recursiveRef: '#' } },
      additionalProperties: false,
    },
    accepted: [{}, { inner: { inner: {} } }],
    refused: [{ inner: { other: 1 } }, { inner: 1 }],
  },
  {
    name: 'not a multiple',
    schema: { type: 'integer', minimum: 0, maximum: 30, not: { multipleOf: 3 } },
    accepted: [1, 2, 29],
    refused: [0, 3, 30, 31],
  },
  {
    name: 'multiples of several numbers',
    schema: { type: 'number', allOf: [{ multipleOf: 4 }, { multipleOf: 6 }, { multipleOf: 1.5 }] },
    accepted: [0, 12, -24],
    refused: [4, 6, 1.5, 18],
  },
  {
    name: 'the length of a pattern with one loop',
    schema: { type: 'string', pattern: '^[a-z][a-z0-9]*!$', minLength: 3, maxLength: 5 },
    accepted: ['ab!', 'ab12!'],
    refused: ['a!', 'abcde!', 'ab1'],
  },
  {
    name: 'the length of a pattern with several loops',
    schema: { type: 'string', pattern: '^a*(b|cd)*e+$', minLength: 2, maxLength: 4 },
    accepted: ['ae', 'aaae', 'cdee', 'bcde', 'eeee'],
    refused: ['e', 'aaaae', 'cdcde', 'abc'],
  },
  {
    name: 'patternProperties beside names they match',
    schema: {
      type: 'object',
      properties: { 'x-name': TEXT, other: NUMBER },
      patternProperties: { '^x-': {}, '-y$': NUMBER },
      additionalProperties: false,
    },
    accepted: [{ 'x-name': 'a', other: 1, 'x-z': true }, { 'x-y': 1 }, { 'z-y': 2 }],
    refused: [{ 'x-name': 1 }, { 'x-y': 'a' }, { z: 1 }],
  },
  {
    name: 'characters outside the basic plane by property',
    schema: { type: 'string', pattern: '^\\p{Script=Gothic}+$' },
    accepted: ['\u{10330}\u{1034a}'],
    refused: ['a', '\u{10400}'],
  },
];
