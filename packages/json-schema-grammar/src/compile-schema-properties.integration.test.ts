import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseGbnf } from '../testing/gbnf-grammar.ts';
import { GbnfMatcher } from '../testing/gbnf-matcher.ts';
import { GbnfWriter } from '../testing/gbnf-writer.ts';
import { schemas } from '../testing/schema-arbitrary.ts';
import { type CompiledSchema, compileSchema } from './compile-schema.ts';
import { SchemaRefused } from './terms/schema-refused.ts';
import { createAjv, SchemaValidator } from './validate-schema.ts';

const validator = new SchemaValidator();
const ajv = createAjv('2020-12');

function compile(schema: unknown): CompiledSchema | undefined {
  try {
    return compileSchema(schema, { validator });
  } catch (error) {
    if (error instanceof SchemaRefused && error.reason === 'unsatisfiable') return undefined;
    throw error;
  }
}

/** Deterministic for a seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('the grammar of any schema', () => {
  it('writes only JSON that the schema accepts, except for keywords it leaves to validation', () => {
    let written = 0;
    fc.assert(
      fc.property(schemas, fc.integer({ min: 1, max: 2 ** 31 }), (schema, seed) => {
        const compiled = compile(schema);
        if (!compiled || compiled.leftToValidation.length > 0) return;
        const validate = ajv.compile(schema as object);
        const grammar = parseGbnf(compiled.grammar);
        const writer = new GbnfWriter(grammar);
        const matcher = new GbnfMatcher(grammar);
        const random = randomFrom(seed);
        for (let round = 0; round < 5; round++) {
          const text = writer.write({ random, freedom: 60 });
          expect({ text, isValid: validate(JSON.parse(text)) }).toEqual({ text, isValid: true });
          expect({ text, isMatched: matcher.matches(text) }).toEqual({ text, isMatched: true });
          written += 1;
        }
      }),
      { numRuns: 250, seed: 1 },
    );
    expect(written).toBeGreaterThan(250);
  });

  it('of a weaker schema accepts everything that a stronger one writes', () => {
    fc.assert(
      fc.property(schemas, schemas, fc.integer({ min: 1, max: 2 ** 31 }), (stronger, other, seed) => {
        const written = compile({ allOf: [stronger] });
        if (!written) return;
        const text = new GbnfWriter(parseGbnf(written.grammar)).write({
          random: randomFrom(seed),
          freedom: 60,
        });
        const weaker = [{ anyOf: [other, stronger] }, { $ref: '#/$defs/it', $defs: { it: stronger } }];
        for (const schema of weaker) {
          const compiled = compile(schema);
          if (!compiled || compiled.narrowed.length > 0) return;
          const isMatched = new GbnfMatcher(parseGbnf(compiled.grammar)).matches(text);
          expect({ schema, text, isMatched }).toEqual({ schema, text, isMatched: true });
        }
      }),
      { numRuns: 150, seed: 3 },
    );
  });

  it('is refused as unsatisfiable only if no sample satisfies the schema', () => {
    const samples = [
      null,
      true,
      false,
      0,
      1,
      -2,
      2.5,
      7,
      '',
      'a',
      'b1',
      'abc',
      [1],
      ['a', 'b'],
      {},
      { a: 1 },
      { a: 'a', b: 'b' },
    ];
    fc.assert(
      fc.property(schemas, (schema) => {
        if (compile(schema)) return;
        const validate = ajv.compile(schema as object);
        // Without `type`, the grammar writes only the types its keywords apply to; other values prove nothing.
        const isTyped =
          typeof schema === 'object' && 'type' in schema && !('not' in schema) && !('if' in schema);
        if (isTyped) expect(samples.filter((sample) => validate(sample))).toEqual([]);
      }),
      { numRuns: 250, seed: 2 },
    );
  });
});
