import fc from 'fast-check';

type Schema = boolean | { readonly [keyword: string]: unknown };

const names = fc.constantFrom('a', 'b', 'ab');
const scalars = fc.constantFrom<unknown>(null, true, 0, 1, -2, 1.5, '', 'a', 'b1', 'abc');
const small = fc.integer({ min: 0, max: 3 });
const limits = fc.constantFrom(-10, -2, -0.5, 0, 1, 2.5, 7, 20);

const optional = { requiredKeys: [] };
const strings = fc.record(
  {
    type: fc.constant('string'),
    minLength: small,
    maxLength: fc.integer({ min: 2, max: 5 }),
    pattern: fc.constantFrom('^a', 'b$', '^[ab]*$', '\\d', '^(?!a)', '^(a|bc)+$'),
    format: fc.constantFrom(
      'date',
      'time',
      'date-time',
      'email',
      'ipv4',
      'ipv6',
      'uuid',
      'uri',
      'hostname',
      'duration',
      'uri-reference',
      'json-pointer',
      'relative-json-pointer',
    ),
  },
  { requiredKeys: ['type'] },
);
const numbers = fc.record(
  {
    type: fc.constantFrom('number', 'integer'),
    minimum: limits,
    maximum: limits,
    exclusiveMinimum: limits,
    exclusiveMaximum: limits,
    multipleOf: fc.constantFrom(1, 2, 0.5, 0.1, 3),
  },
  { requiredKeys: ['type'] },
);
const plain = fc.oneof(
  fc.record({ type: fc.constantFrom('null', 'boolean', 'string', 'integer') }),
  fc.record({ enum: fc.uniqueArray(scalars, { minLength: 1, maxLength: 6 }) }),
  fc.record({ const: scalars }),
);

/** Small schemas that use most keywords together; many are satisfiable. */
export const schemas: fc.Arbitrary<Schema> = fc.letrec<{ schema: Schema }>((tie) => {
  const inner = tie('schema');
  const objects = fc.record(
    {
      type: fc.constant('object'),
      properties: fc.dictionary(names, inner, { maxKeys: 3 }),
      required: fc.uniqueArray(names, { maxLength: 2 }),
      additionalProperties: fc.oneof(fc.boolean(), inner),
      patternProperties: fc.dictionary(fc.constantFrom('^a', 'b$'), inner, { maxKeys: 2 }),
      propertyNames: fc.constantFrom({ maxLength: 2 }, { pattern: '^[a-z]' }, { enum: ['a', 'b', 'c'] }),
      minProperties: fc.integer({ min: 0, max: 2 }),
      maxProperties: fc.integer({ min: 1, max: 3 }),
      dependentRequired: fc.constantFrom({ a: ['b'] }, { b: ['ab', 'a'] }),
    },
    { requiredKeys: ['type'] },
  );
  const arrays = fc.record(
    {
      type: fc.constant('array'),
      items: inner,
      prefixItems: fc.array(inner, { minLength: 1, maxLength: 2 }),
      contains: inner,
      maxContains: fc.integer({ min: 1, max: 2 }),
      minItems: fc.integer({ min: 0, max: 2 }),
      maxItems: fc.integer({ min: 1, max: 3 }),
      uniqueItems: fc.boolean(),
    },
    { requiredKeys: ['type'] },
  );
  const list = fc.array(inner, { minLength: 1, maxLength: 3 });
  const combined = fc
    .tuple(
      fc.oneof(objects, arrays, strings, numbers, fc.constant({})),
      fc.record(
        // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
        { anyOf: list, oneOf: list, allOf: list, not: inner, if: inner, then: inner, else: inner },
        optional,
      ),
    )
    .map(([base, more]) => ({ ...base, ...more }));
  return {
    schema: fc.oneof(
      { maxDepth: 2, depthIdentifier: 'schema' },
      plain,
      strings,
      numbers,
      objects,
      arrays,
      combined,
    ),
  };
}).schema;
