import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EmbeddedChunk } from '../embedded-chunk.ts';
import { packVectors } from '../packed-vectors.ts';
import { writeIndexFile } from './index-file.ts';
import { IndexFiles } from './index-files.ts';
import { StackIndex } from './stack-index.ts';

const whole = { isFirst: true, isLast: true };
const named = (name: string) => ({ id: `${name}@1`, documentId: name, documentName: name });
type Documents = Map<string, readonly EmbeddedChunk[]>;
type Random = (below: number) => number;

let folder = '';
let files: IndexFiles;
let free: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stackgate-index-'));
  free = 2 ** 40;
  files = new IndexFiles(folder, 'maker', async () => free);
});
afterEach(() => rmSync(folder, { recursive: true }));

function chunk(text: string, vector?: readonly number[]): EmbeddedChunk {
  const vectors = packVectors(vector ? [Float32Array.from(vector)] : []);
  return { position: 0, text, headings: [], vectors };
}

function add(index: StackIndex, documents: Documents): void {
  for (const [name, chunks] of documents) index.add(named(name), chunks, whole);
}

const publish = (index: StackIndex, documents: Documents) =>
  index.publish('1', [...documents.keys()].map(named));

function indexOf(documents: Documents): StackIndex {
  const index = new StackIndex();
  add(index, documents);
  publish(index, documents);
  return index;
}

const oneDocument = () => indexOf(new Map([['a.md', [chunk('Parcels travel by van.', [1, 0])]]]));
const theFile = () => join(folder, readdirSync(folder)[0] ?? '');

describe('an index file', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'answers as an index built anew, whatever happened before (%i)',
    async (seed) => {
      const random = randomFrom(seed);
      const documents = randomDocuments(random, 'first');
      const index = indexOf(documents);
      for (const name of [...documents.keys()]) if (random(3) === 0) documents.delete(name);
      const more = randomDocuments(random, 'second');
      add(index, more);
      for (const [name, chunks] of more) documents.set(name, chunks);
      publish(index, documents);
      await files.save('shop', index);
      const restored = files.read('shop') ?? expect.unreachable('there is no file');
      expect([...documents.keys()].filter((name) => !restored.has(named(name).id))).toEqual([]);
      publish(restored, documents);
      expect(answers(restored)).toEqual(answers(indexOf(documents)));

      const later = randomDocuments(random, 'third');
      add(restored, later);
      for (const [name, chunks] of later) documents.set(name, chunks);
      publish(restored, documents);
      expect(answers(restored)).toEqual(answers(indexOf(documents)));
    },
  );

  it('has what was visible when it was begun, though the index changes meanwhile', async () => {
    const before: Documents = new Map([['a.md', [chunk('Parcels travel by van.', [1, 0])]]]);
    const index = indexOf(before);
    await files.save('shop', index);
    const pieces = index.pieces({ maker: 'maker', stackId: 'shop' });
    const { value: head } = pieces.next();
    const after: Documents = new Map([['b.md', [chunk('Parcels travel by ship.', [0, 1])]]]);
    add(index, after);
    publish(index, after);
    await writeIndexFile(theFile(), [head ?? expect.unreachable('it is empty'), ...pieces]);
    const restored = files.read('shop') ?? expect.unreachable('there is no file');
    publish(restored, before);
    expect(answers(restored)).toEqual(answers(indexOf(before)));
  });

  it('has nothing of removed documents, and is for its owner only', async () => {
    const documents: Documents = new Map([
      ['a.md', [chunk('Parcels travel by van.')]],
      ['b.md', [chunk('Zeppelins are secret.')]],
    ]);
    const index = indexOf(documents);
    await files.save('shop', index);
    expect(readFileSync(theFile(), 'latin1').toLowerCase()).toContain('zeppelin');
    documents.delete('b.md');
    publish(index, documents);
    await files.save('shop', index);
    expect(readFileSync(theFile(), 'latin1').toLowerCase()).not.toContain('zeppelin');
    expect(statSync(theFile()).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('that is damaged and cannot be removed is as good as none', async () => {
    await files.save('shop', oneDocument());
    const path = theFile();
    rmSync(path);
    // Not even root can remove a folder as it removes a file.
    mkdirSync(path);
    expect(files.read('shop')).toBeUndefined();
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('is not there for a stack without documents', async () => {
    const index = oneDocument();
    await files.save('shop', index);
    index.publish('2', []);
    await files.save('shop', index);
    expect(readdirSync(folder)).toEqual([]);
    expect(files.read('shop')).toBeUndefined();
  });

  it('is not written where the disk would be full, and leaves the older one', async () => {
    await files.save('shop', oneDocument());
    const older = readFileSync(theFile());
    free = 2 ** 28;
    const more = indexOf(new Map([['b.md', [chunk('Letters travel by ship.', [0, 1])]]]));
    await expect(files.save('shop', more)).rejects.toThrow(/disk of the gateway is full/);
    expect(readdirSync(folder)).toHaveLength(1);
    expect(readFileSync(theFile())).toEqual(older);
  });

  it('is not used by another maker or for another stack', async () => {
    await files.save('shop', oneDocument());
    expect(new IndexFiles(folder, 'other', async () => free).read('shop')).toBeUndefined();
    expect(files.read('other')).toBeUndefined();
    expect(files.read('shop')).toBeDefined();
  });

  it('is removed when any of its bytes is damaged, or missing', async () => {
    await files.save('shop', oneDocument());
    const path = theFile();
    const sound = readFileSync(path);
    const damaged = Array.from(sound, (byte, place) => {
      const bytes = Buffer.from(sound);
      bytes[place] = byte ^ (1 << (place % 8));
      return bytes;
    });
    const cut = [0, 7, 40, sound.length - 1].map((length) => sound.subarray(0, length));
    for (const [place, bytes] of [...damaged, ...cut, Buffer.concat([sound, sound])].entries()) {
      writeFileSync(path, bytes);
      expect([place, files.read('shop')]).toEqual([place, undefined]);
      expect(readdirSync(folder)).toEqual([]);
    }
    writeFileSync(path, sound);
    expect(files.read('shop')).toBeDefined();
  });
});

const WORDS =
  'parcel parcels van travels ship the and is of der die und nicht Paket Pakete letter 𐌰𐌱𐌲𐌳𐌴'.split(' ');

function randomDocuments(random: Random, prefix: string): Documents {
  const text = () => Array.from({ length: 1 + random(12) }, () => WORDS[random(WORDS.length)]).join(' ');
  const vector = () => Array.from({ length: 5 }, () => random(100) / 100 - 0.3);
  const some = () => chunk(text(), random(4) === 0 ? undefined : vector());
  return new Map(
    Array.from({ length: 1 + random(6) }, (_, place) => [
      `${prefix}-${place}.md`,
      Array.from({ length: random(4) }, some),
    ]),
  );
}

function randomFrom(seed: number): Random {
  let state = seed * 7_919;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

function answers(index: StackIndex) {
  const vector = Float32Array.from([0.5, 0.1, 0.3, 0.2, 0.9]);
  return ['parcels', 'der Versand der Pakete', 'letter ship van', '𐌰𐌱𐌲𐌳𐌴'].flatMap((question) =>
    [vector, undefined].map((asked) =>
      // Cosines are summed up in the order of slots, so the last digits may differ.
      index
        .search({ question, vector: asked, most: 50 })
        .map(({ text, documentId, score, relevance }) =>
          [documentId, text, score.toFixed(4), relevance.toFixed(4)].join(' '),
        )
        .sort(),
    ),
  );
}
