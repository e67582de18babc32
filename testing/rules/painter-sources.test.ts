import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (name: string) => readFileSync(new URL(`../../models/painter/${name}`, import.meta.url), 'utf8');

interface Exclusions {
  /** Name → asset. */
  readonly exclusions: readonly { readonly emojis: Readonly<Record<string, string>> }[];
}

interface ShippedLexicon {
  readonly objects: readonly { readonly asset: string; readonly name: string; readonly group: string }[];
}

interface Drawings {
  readonly drawings: Readonly<Record<string, { readonly shapes: readonly string[] }>>;
}

/** Kind, places and sizes, colour. */
const SHAPE = /^(?:e(?: -?[\d.]+){4}|r(?: -?[\d.]+){5}|p M[^#]+ Z|l [\d.]+ M[^#]+) #[0-9a-f]{6}$/;

const { exclusions }: Exclusions = JSON.parse(read('language/exclusions.json'));
const excluded = new Map(
  exclusions.flatMap(({ emojis }) => Object.entries(emojis).map(([name, asset]) => [asset, name] as const)),
);

describe('what the painter learns from', () => {
  it('has none of the excluded drawings, under any code', () => {
    const assets: Readonly<Record<string, string>> = JSON.parse(read('language/training-assets.json'));
    const plain = (asset: string) => asset.replaceAll('-fe0f', '');
    const refused = new Set([...excluded.keys()].map(plain));
    expect(Object.keys(assets).length).toBeGreaterThan(1_000);
    expect(Object.keys(assets).filter((asset) => refused.has(plain(asset)))).toEqual([]);
    const names = new Set(excluded.values());
    // A joystick of our own is none of theirs.
    const theirs = Object.entries(assets).filter(([asset]) => !asset.startsWith('own-'));
    expect(theirs.filter(([, name]) => names.has(name))).toEqual([]);
  });

  it('excludes what Microsoft does not open', () => {
    expect([...excluded.values()]).toEqual(
      expect.arrayContaining([
        'technologist',
        'man technologist',
        'woman technologist',
        'video game',
        'paperclip',
      ]),
    );
  });

  it('is what the shipped weights have learned from', () => {
    const assets: Readonly<Record<string, string>> = JSON.parse(read('language/training-assets.json'));
    const { objects }: ShippedLexicon = JSON.parse(read('lexicon.json'));
    expect(Object.fromEntries(objects.map(({ asset, name }) => [asset, name]))).toEqual(assets);
  });

  it('has each of our own drawings, of shapes that can be rendered', () => {
    const folder = new URL('../../models/painter/drawings/', import.meta.url);
    const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
    const drawn = files.flatMap((name) => {
      const { drawings }: Drawings = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
      return Object.entries(drawings);
    });
    const { objects }: ShippedLexicon = JSON.parse(read('lexicon.json'));
    const known = objects.filter(({ group }) => group === 'Own drawings').map(({ name }) => name);
    expect(drawn.map(([name]) => name).sort()).toEqual(known.sort());
    expect(drawn.flatMap(([, { shapes }]) => shapes).filter((shape) => !SHAPE.test(shape))).toEqual([]);
  });
});
