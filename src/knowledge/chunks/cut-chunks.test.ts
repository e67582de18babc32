import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { heading, paragraph, table } from '../../../testing/knowledge/block-builders.ts';
import type { DocumentBlock } from '../document-block.ts';
import { type ChunkLimits, defaultChunkLimits, weightOf } from './chunk-limits.ts';
import { cutChunks } from './cut-chunks.ts';

const limits: ChunkLimits = { target: 120, most: 160, small: 30, overlap: 30 };
const textsOf = (blocks: readonly DocumentBlock[], bounds = limits) =>
  [...cutChunks(blocks, bounds)].map(({ text }) => text);
const numbered = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index));

describe('chunks', () => {
  it('carry the headings and the page they stand under, in their order', () => {
    const chunks = [
      ...cutChunks([
        paragraph('before all'),
        heading(1, 'A'),
        { ...heading(2, 'B'), page: 2 },
        { ...paragraph('first'), page: 2 },
        { ...paragraph('second'), page: 3 },
        heading(3, 'C'),
        paragraph('third'),
        heading(2, 'D'),
        paragraph('fourth'),
      ]),
    ];
    expect(chunks).toEqual([
      { position: 0, text: 'before all', headings: [] },
      { position: 1, text: 'first\n\nsecond', headings: ['A', 'B'], page: 2 },
      { position: 2, text: 'third', headings: ['A', 'B', 'C'] },
      { position: 3, text: 'fourth', headings: ['A', 'D'] },
    ]);
  });

  it('are made of headings with nothing under them too', () => {
    const chunks = [...cutChunks([heading(1, 'A'), heading(2, 'B'), heading(2, 'C'), heading(1, 'D')])];
    expect(chunks).toEqual([
      { position: 0, text: 'B\n\nC', headings: ['A'] },
      { position: 1, text: 'D', headings: [] },
    ]);
  });

  it('keep a heading that is too long as text', () => {
    const long = 'word '.repeat(60).trim();
    const [chunk] = cutChunks([heading(1, long), paragraph('below')]);
    expect(chunk?.text).toBe(`${long}\n\nbelow`);
    expect(chunk?.headings[0]).toMatch(/^word .*…$/);
  });

  it('put small neighbours together, and items of a list on lines', () => {
    expect(
      textsOf([paragraph('- one'), paragraph('- two'), paragraph('3. three'), paragraph('end')]),
    ).toEqual(['- one\n- two\n3. three\n\nend']);
    const pieces = [paragraph('a'.repeat(100)), paragraph('b'.repeat(100)), paragraph('end')];
    expect(textsOf(pieces)).toEqual(['a'.repeat(100), `${'b'.repeat(100)}\n\nend`]);
    expect(textsOf([paragraph('a'.repeat(119)), paragraph('left over')])).toEqual([
      `${'a'.repeat(119)}\n\nleft over`,
    ]);
  });
});

describe('a long paragraph', () => {
  it('is cut between sentences, and nothing is said twice', () => {
    const sentences = numbered(20, (index) => `Sentence ${index} by Dr. Smith says 3.5 things, e.g. this.`);
    const texts = textsOf([paragraph(sentences.join(' '))]);
    expect(texts.length).toBeGreaterThan(5);
    expect(texts.join(' ')).toBe(sentences.join(' '));
    for (const text of texts) expect(text).toMatch(/^Sentence .* this\.$/);
  });

  it('is cut after the marks of scripts without spaces, which count for more', () => {
    const sentence = '吾輩は猫である名前はまだ無い。';
    const texts = textsOf([paragraph(sentence.repeat(10))]);
    expect(texts.join('')).toBe(sentence.repeat(10));
    for (const text of texts) expect(text).toMatch(/^(吾輩は猫である名前はまだ無い。){1,2}$/);
  });

  it('with a sentence that is too long is cut in it, and says the last words again', () => {
    const words = numbered(100, (index) => `word${index}`);
    const texts = textsOf([paragraph(words.join(' '))]);
    for (const [index, text] of texts.entries()) {
      const next = texts[index + 1];
      if (next === undefined) continue;
      const repeated = next.split(' ').filter((word) => text.split(' ').includes(word));
      expect(repeated.length).toBeGreaterThan(1);
      expect(text.endsWith(repeated.join(' ')) && next.startsWith(repeated.join(' '))).toBe(true);
    }
    expect([...new Set(texts.flatMap((text) => text.split(' ')))]).toEqual(words);
  });

  it('without any place to cut is cut anyway, and never through a character', () => {
    const texts = textsOf([paragraph('x'.repeat(1_000)), paragraph('😀'.repeat(500))]);
    for (const text of texts) {
      expect(weightOf(text)).toBeLessThanOrEqual(limits.most);
      expect(text).not.toMatch(/\p{Cs}/u);
    }
  });
});

describe('a table', () => {
  it('is cut between rows, each part below the names of the columns', () => {
    const rows = numbered(30, (index) => `Item ${index}`).map((name, index) => [name, `${index}.00`]);
    const texts = textsOf([table(['Name', 'Price'], ...rows)]);
    expect(texts.length).toBeGreaterThan(2);
    for (const text of texts) expect(text).toMatch(/^Name \| Price\n(Item \d+ \| \d+\.00(\n|$))+$/);
    const found = texts.flatMap((text) => text.split('\n').slice(1));
    expect(found).toEqual(rows.map((row) => row.join(' | ')));
  });

  it('with many columns says each name beside its value', () => {
    const header = numbered(8, (index) => `c${index}`);
    expect(textsOf([table(header, ['1', '', '3', '', '', '', '', '8'])])).toEqual(['c0: 1; c2: 3; c7: 8']);
  });

  it('without names, without rows, or with a row that is too long is kept', () => {
    expect(textsOf([table([], ['a', 'b'])])).toEqual(['a | b']);
    expect(textsOf([table(['a', 'b'])])).toEqual(['a | b']);
    const texts = textsOf([table(['k', 'v'], ['key', 'Some words here. '.repeat(30)])]);
    for (const text of texts) expect(text).toMatch(/^k \| v\n/);
    expect(texts.join(' ').match(/Some words here\./g)).toHaveLength(30);
  });
});

describe('whatever the blocks', () => {
  const word = fc.oneof(
    fc.stringMatching(/^[a-zA-Z]{1,12}[.!?,]?$/),
    fc.constantFrom('日本語です。', '中文没有空格', 'z.B.', '3.14', '\n', '…', 'x'.repeat(300)),
  );
  const text = fc.array(word, { minLength: 1, maxLength: 60 }).map((words) => words.join(' '));
  const cell = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
  const row = fc.array(cell, { minLength: 1, maxLength: 9 });
  const block: fc.Arbitrary<DocumentBlock> = fc.oneof(
    fc.record({ type: fc.constant('heading' as const), level: fc.integer({ min: 1, max: 6 }), text }),
    fc.record({ type: fc.constant('paragraph' as const), text }),
    fc.record({ type: fc.constant('table' as const), header: row, rows: fc.array(row, { maxLength: 8 }) }),
  );
  const bounds = fc.constantFrom(limits, defaultChunkLimits);

  it('no chunk is empty or over the bound, and they are counted', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 12 }), bounds, (blocks, chosen) => {
        const chunks = [...cutChunks(blocks, chosen)];
        expect(chunks.map(({ position }) => position)).toEqual(chunks.map((_, index) => index));
        const isSound = ({ text }: { readonly text: string }) =>
          text.trim() !== '' && text.length <= defaultChunkLimits.most && weightOf(text) <= chosen.most;
        expect(chunks.filter((chunk) => !isSound(chunk))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('no word of a text is lost', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), bounds, (texts, chosen) => {
        const kept = new Set(textsOf(texts.map(paragraph), chosen).flatMap((part) => part.split(/\s+/)));
        const short = texts
          .flatMap((part) => part.split(/\s+/))
          .filter((part) => part !== '' && part.length < 20);
        expect(short.filter((part) => !kept.has(part))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});
