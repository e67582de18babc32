import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { finderFixtures } from '../../../testing/reading/finder-fixtures.ts';
import { EmbeddedFieldFinder } from './embedded-field-finder.ts';
import type { FoundField, FoundOnPage } from './field-finder.ts';
import { readFinderWeights, shippedFinderFolder } from './finder-weights.ts';
import { surer } from './page-reader.ts';

const never = new AbortController().signal;
const work = { stackId: 'one', signal: never };
/** Sums differ in the last digits from build to build, and where one is rounded to int8 the other way, an unsure answer moves by hundredths. */
const TOLERANCE = 0.05;

describe('the field finder', () => {
  const finder = new EmbeddedFieldFinder();
  afterAll(() => finder.stop(never));

  it.each(finderFixtures())('reads $name as the reference does', async ({ pages, question, expected }) => {
    const found: FoundOnPage[] = [];
    for (const words of pages) found.push(await finder.find(words, question, work));
    const fields = question.fields.map((_, index) =>
      found.flatMap((page) => page.fields[index] ?? []).reduce(surer),
    );
    expect(fields.map(answerOf).map(({ text }) => text)).toEqual(expected.found.map(({ text }) => text));
    for (const [index, field] of fields.entries()) {
      const difference = Math.abs(answerOf(field).probability - (expected.found[index]?.probability ?? 0));
      expect(difference).toBeLessThan(TOLERANCE);
    }
    const rows = question.lists.map((_, index) => found.flatMap((page) => page.lists[index] ?? []));
    expect(rows.map((list) => list.map((row) => row.map((cell) => cell?.text ?? null)))).toEqual(
      expected.rows,
    );
  });

  it('tells the words of a value, so that it can be cited', async () => {
    const words = [
      { text: 'Total:', x0: 0, y0: 0, x1: 60, y1: 14 },
      { text: '8,70€', x0: 70, y0: 0, x1: 110, y1: 14 },
    ];
    const question = { fields: [{ name: 'total', type: 'number' }], lists: [] };
    const { fields } = await finder.find(words, question, work);
    expect(fields[0]?.spans[0]).toMatchObject({ text: '8,70', words: [{ word: 1, start: 0, end: 4 }] });
  });

  it('finds nothing on a page without words', async () => {
    const question = { fields: [{ name: 'total', type: 'number' }], lists: [{ name: 'items', columns: [] }] };
    expect(await finder.find([], question, work)).toEqual({
      fields: [{ none: 0, isTold: false, spans: [] }],
      lists: [[]],
    });
  });
});

describe('the weights', () => {
  const folder = mkdtempSync(join(tmpdir(), 'finder-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are refused by name where a file is damaged', async () => {
    for (const name of ['checksums.json', 'calibration.json', 'vocab.txt', 'encoder.onnx', 'fields.onnx'])
      cpSync(join(shippedFinderFolder(), name), join(folder, name));
    writeFileSync(join(folder, 'fields.onnx'), 'other');
    await expect(readFinderWeights(folder)).rejects.toThrow('models/reader/fields.onnx is damaged');
  });
});

function answerOf({ isTold, none, spans }: FoundField): { text: string | null; probability: number } {
  const [best] = spans;
  return isTold && best !== undefined ? best : { text: null, probability: none };
}
