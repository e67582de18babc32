import { describe, expect, it } from 'vitest';
import type { EmbeddedChunk } from '../embedded-chunk.ts';
import { MIN_RELEVANCE } from '../min-relevance.ts';
import { packVectors } from '../packed-vectors.ts';
import { StackIndex } from './stack-index.ts';

const whole = { isFirst: true, isLast: true };
const named = (name: string) => ({ id: `${name}@1`, documentId: name, documentName: name });

function chunk(
  text: string,
  more: { position?: number; headings?: string[]; vector?: number[] } = {},
): EmbeddedChunk {
  const { position = 0, headings = [], vector } = more;
  const vectors = packVectors(vector ? [Float32Array.from(vector)] : []);
  return { position, text, headings, vectors };
}

function indexOf(documents: Readonly<Record<string, readonly EmbeddedChunk[]>>): StackIndex {
  const index = new StackIndex();
  for (const [name, chunks] of Object.entries(documents)) index.add(named(name), chunks, whole);
  index.publish('1', Object.keys(documents).map(named));
  return index;
}

const find = (index: StackIndex, question: string, vector?: number[]) =>
  index.search({ question, vector: vector && Float32Array.from(vector), most: 5 });
const names = (found: readonly { documentName: string }[]) => found.map(({ documentName }) => documentName);

describe('the index of a stack', () => {
  it('finds chunks by their words, the one with more of them first', () => {
    const index = indexOf({
      cats: [chunk('The cat sleeps on the mat.')],
      dogs: [chunk('A dog and a cat quarrel about the bone.')],
      fish: [chunk('Fish swim.')],
    });
    expect(names(find(index, 'Where do dogs and cats quarrel?'))).toEqual(['dogs', 'cats']);
  });

  it('finds words of headings and of the name', () => {
    const index = indexOf({
      'returns.md': [chunk('Send it back within a month.', { headings: ['Parcels', 'Deadlines'] })],
      'other.md': [chunk('Nothing of that here.')],
    });
    expect(names(find(index, 'deadline of parcels'))).toEqual(['returns.md']);
    expect(names(find(index, 'returns'))).toEqual(['returns.md']);
  });

  it('finds a chunk in whichever language it is written', () => {
    const index = indexOf({
      german: [chunk('Die Rechnungen werden von der Buchhaltung bis zum Ende des Monats bezahlt.')],
      english: [chunk('The invoices are paid by the accountants before the end of the month.')],
    });
    expect(names(find(index, 'Rechnung bezahlen'))).toEqual(['german']);
    expect(names(find(index, 'paying an invoice'))).toEqual(['english']);
  });

  it('finds a meaning where no word is the same', () => {
    const index = indexOf({
      near: [chunk('automobile', { vector: [1, 0] })],
      far: [chunk('banana', { vector: [0, 1] })],
    });
    const [best] = find(index, 'car', [0.9, 0.1]);
    expect(best).toMatchObject({ documentName: 'near', words: 0 });
    expect(best?.meaning).toBeCloseTo(0.9, 1);
  });

  it('says that meaning is unknown where there is no vector', () => {
    const [best] = find(indexOf({ one: [chunk('automobile', { vector: [1, 0] })] }), 'automobile');
    expect(best?.meaning).toBeUndefined();
    expect(best?.relevance).toBeGreaterThan(0);
  });

  it('gives chunks as they were added', () => {
    const text = 'Zürich – 東京 😀';
    const index = indexOf({ one: [{ ...chunk(text, { headings: ['A', 'B'] }), page: 3 }] });
    expect(find(index, 'zurich')[0]).toMatchObject({
      text,
      headings: ['A', 'B'],
      page: 3,
      position: 0,
      documentId: 'one',
    });
  });

  it('shows nothing before it is published, and no version after its removal', () => {
    const index = indexOf({ old: [chunk('parcel')] });
    index.add(named('new'), [chunk('parcel')], whole);
    expect(names(find(index, 'parcel'))).toEqual(['old']);
    index.publish('2', [named('new')]);
    expect(names(find(index, 'parcel'))).toEqual(['new']);
    expect(index.hiddenFraction).toBe(0.5);
  });

  it('scores the same after changes as when it is made anew', () => {
    const documents = { a: [chunk('parcel post office')], b: [chunk('parcel van')] };
    const changed = new StackIndex();
    changed.add(named('gone'), [chunk('parcel parcel post van office')], whole);
    changed.publish('0', [named('gone')]);
    for (const [name, chunks] of Object.entries(documents)) changed.add(named(name), chunks, whole);
    changed.publish('1', ['a', 'b'].map(named));
    expect(find(changed, 'parcel post')).toEqual(find(indexOf(documents), 'parcel post'));
  });

  it('orders equal chunks by their documents, not by when they came', () => {
    const index = new StackIndex();
    index.add(named('b'), [chunk('parcel')], whole);
    index.add(named('a'), [chunk('parcel')], whole);
    index.publish('1', ['a', 'b'].map(named));
    expect(names(find(index, 'parcel'))).toEqual(['a', 'b']);
  });

  it('takes a version page by page, and anew where a load was interrupted', () => {
    const index = new StackIndex();
    index.add(named('a'), [chunk('parcel one')], { isFirst: true, isLast: false });
    expect(index.has('a@1')).toBe(false);
    index.add(named('a'), [chunk('parcel one')], { isFirst: true, isLast: false });
    index.add(named('a'), [chunk('parcel two', { position: 1 })], { isFirst: false, isLast: true });
    index.publish('1', [named('a')]);
    expect(find(index, 'parcel').map(({ text }) => text)).toEqual(['parcel one', 'parcel two']);
  });
});

describe('relevance', () => {
  it('tells an answer from a chunk about something else, also in a stack of one chunk', () => {
    const index = indexOf({ one: [chunk('Parcels are returned within thirty days at any post office.')] });
    const relevance = (question: string) => find(index, question)[0]?.relevance ?? 0;
    expect(relevance('Within how many days are parcels returned?')).toBeGreaterThan(MIN_RELEVANCE);
    expect(relevance('Write a poem about days at sea with whales and mermaids')).toBeLessThan(MIN_RELEVANCE);
  });

  it('counts how far a meaning stands out, not how close everything is', () => {
    const close = Array.from({ length: 100 }, () => chunk('banana', { vector: [0.9, 0.4359] }));
    const [best] = find(indexOf({ all: close }), 'car', [1, 0]);
    expect(best?.meaning).toBeCloseTo(0.9, 1);
    expect(best?.relevance).toBeLessThan(MIN_RELEVANCE);
  });
});
