import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonStructure, JsonStructureMeter } from './json-structure.ts';

function measure(...chunks: readonly (string | Buffer)[]): JsonStructure {
  const meter = new JsonStructureMeter();
  for (const chunk of chunks) meter.add(Buffer.from(chunk));
  return meter.structure;
}

/**
 * Reference implementation on the parsed value: counts the root, every element, every member with its name; an empty pair of
 * brackets counts as one.
 */
function structureOf(value: unknown): JsonStructure {
  if (typeof value !== 'object' || value === null) return { depth: 0, values: 1 };
  const inner = Object.values(value).map(structureOf);
  const names = Array.isArray(value) ? 0 : inner.length;
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    values: 1 + Math.max(1, names + inner.reduce((sum, { values }) => sum + values, 0)),
  };
}

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ',', ':', ']', '}', 'ü', '\n'), maxLength: 20 }),
);
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 6 },
    texts,
    fc.constantFrom(null, true, 0, -1.5e9),
    fc.array(tie('json'), { maxLength: 5 }),
    fc.dictionary(texts, tie('json'), { maxKeys: 5 }),
  ),
}));

describe('JsonStructureMeter', () => {
  it('counts exactly what the parser finds, wherever the chunks are cut', () => {
    fc.assert(
      fc.property(json, fc.boolean(), fc.array(fc.nat(), { maxLength: 8 }), (value, indented, cuts) => {
        const text = Buffer.from(JSON.stringify(value, undefined, indented ? 2 : 0));
        const borders = [...cuts.map((cut) => cut % (text.length + 1)), 0, text.length].sort((a, b) => a - b);
        const chunks = borders.slice(1).map((border, index) => text.subarray(borders[index], border));
        expect(measure(...chunks)).toEqual(structureOf(JSON.parse(text.toString())));
      }),
      { numRuns: 500 },
    );
  });

  it('counts the same byte by byte', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = Buffer.from(JSON.stringify(value));
        const bytes = Array.from(text, (_, index) => text.subarray(index, index + 1));
        expect(measure(...bytes)).toEqual(structureOf(JSON.parse(text.toString())));
      }),
    );
  });

  it.each([
    ['"\\\\"', ',1]'],
    ['"\\', '\\",1]'],
    ['"\\', '"",1]'],
    ['"\\\\\\', '"\\\\",1]'],
  ])('knows after %s that %s goes on', (...chunks) => {
    expect(measure('[', ...chunks).values).toBe(3);
  });

  it('reaches its depth at once, before the text ends', () => {
    expect(measure('['.repeat(201)).depth).toBe(201);
    expect(measure('{"a":'.repeat(201)).depth).toBe(201);
  });

  it('does not fail on invalid JSON', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const { depth, values } = measure(Buffer.from(bytes));
        expect(depth).toBeLessThanOrEqual(bytes.length);
        expect(values).toBeLessThanOrEqual(bytes.length + 1);
      }),
    );
    expect(measure(']]]]]').depth).toBe(0);
  });
});
