import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseGbnf } from '../../testing/gbnf-grammar.ts';
import { GbnfWriter } from '../../testing/gbnf-writer.ts';
import { schemas } from '../../testing/schema-arbitrary.ts';
import { compileSchema } from '../compile-schema.ts';
import { SchemaValidator } from '../validate-schema.ts';
import { PatternLibrary } from '../values/pattern-library.ts';
import { examineSchema } from './examine-schema.ts';

const tools = { validator: new SchemaValidator(), patterns: new PatternLibrary() };

const leaves = fc.constantFrom<object>(
  { type: 'string' },
  { type: 'string', format: 'date' },
  { type: ['number', 'null'] },
  { enum: ['a', 'b'] },
  { const: 'fixed' },
  { type: 'integer', minimum: 1 },
  { $ref: '#/$defs/party' },
  { $ref: '#' },
  { minLength: 1 },
  { anyOf: [{ type: 'string' }, { type: 'number' }] },
  { oneOf: [{ type: 'boolean' }, { $ref: '#/$defs/party' }] },
  { allOf: [{ type: 'string' }, { maxLength: 9 }] },
);
const names = fc.constantFrom('id', 'name', 'date', 'lines', 'total');

/** Typical document schemas: nested objects and arrays, some fields required. */
const documents = fc
  .letrec<{ object: object; value: object }>((tie) => ({
    object: fc.dictionary(names, tie('value'), { minKeys: 1, maxKeys: 4 }).chain((properties) =>
      fc.record({
        type: fc.constant('object'),
        properties: fc.constant(properties),
        required: fc.subarray(Object.keys(properties)),
      }),
    ),
    value: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'value' },
      leaves,
      tie('object'),
      fc.record({ type: fc.constant('array'), items: tie('value'), minItems: fc.constantFrom(0, 1) }),
    ),
  }))
  .object.map((root) => ({
    ...root,
    $defs: { party: { type: 'object', properties: { who: { type: 'string' }, vat: {} }, required: ['who'] } },
  }));

describe('the repaired schema of any document', () => {
  it('compiles, has no findings, and is its own repaired schema', () => {
    let found = 0;
    fc.assert(
      fc.property(documents, (schema) => {
        const report = examineSchema(schema, tools);
        // Only a required field that refers to the root makes every answer infinite.
        if (!report.valid) {
          expect(report.problems[0]?.reason).toBe('unsatisfiable');
          return;
        }
        found += report.mayBeInvented.length + report.mayVanish.length;
        const again = examineSchema(report.repairedSchema, tools);
        expect(again).toMatchObject({ valid: true, mayBeInvented: [], mayVanish: [] });
        expect(again.repairedSchema).toEqual(report.repairedSchema);
      }),
      { numRuns: 150, seed: 4 },
    );
    expect(found).toBeGreaterThan(150);
  });

  it('allows only answers with all fields', () => {
    fc.assert(
      fc.property(documents, (schema) => {
        const report = examineSchema(schema, tools);
        if (!report.valid) return;
        const { grammar } = compileSchema(report.repairedSchema, tools);
        const answer: unknown = JSON.parse(
          new GbnfWriter(parseGbnf(grammar)).write({ random: () => 0, freedom: 0 }),
        );
        const named = 'properties' in schema ? Object.keys(schema.properties as object) : [];
        expect(Object.keys(answer as object)).toEqual(named);
      }),
      { numRuns: 60, seed: 5 },
    );
  });
});

describe('the doctor, given any schema', () => {
  it('never throws, and returns a repaired schema without findings or none', () => {
    let [valid, repaired] = [0, 0];
    fc.assert(
      fc.property(schemas, (schema) => {
        const report = examineSchema(schema, tools);
        if (report.valid) valid += 1;
        if (report.repairedSchema === null) return;
        repaired += 1;
        const again = examineSchema(report.repairedSchema, tools);
        expect(again).toMatchObject({ valid: true, mayBeInvented: [], mayVanish: [] });
        expect(again.repairedSchema).toEqual(report.repairedSchema);
      }),
      { numRuns: 200, seed: 6 },
    );
    expect(valid).toBeGreaterThan(60);
    expect(repaired / valid).toBeGreaterThan(0.9);
  });
});
