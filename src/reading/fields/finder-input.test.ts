import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { finderFixtures } from '../../../testing/reading/finder-fixtures.ts';
import { fieldTexts } from './field-text.ts';
import { shippedFinderFolder } from './finder-weights.ts';
import { pagePieces } from './page-pieces.ts';
import { stretchesOf } from './page-stretch.ts';
import { PieceVocabulary } from './piece-vocabulary.ts';

const vocabulary = new PieceVocabulary(readFileSync(`${shippedFinderFolder()}/vocab.txt`, 'utf8'));

describe.each(finderFixtures())('the input of $name', ({ pages, question, expected }) => {
  it('has the fields as the network was trained to read them', () => {
    expect(fieldTexts(question)).toEqual(expected.fieldTexts);
    expect(expected.fieldTexts.map((text) => vocabulary.encode(text, 40))).toEqual(expected.fieldIds);
  });

  it('has the places of the pieces as the network was trained to read them', () => {
    const features = pages.map((words) =>
      pagePieces(words, vocabulary).pieces.map((piece) => piece.features),
    );
    expect(features).toEqual(expected.features);
  });
});

describe('a stretch', () => {
  const row = (text: string) =>
    text
      .split(' ')
      .map((word, index) => ({ text: word, x0: index * 50, y0: 0, x1: index * 50 + 40, y1: 10 }));

  it('moves a cut between letters outwards, and leaves a label that sticks to a value out', () => {
    const page = pagePieces(row('Total:8,70€ Rechnung'), vocabulary);
    const [stretch] = stretchesOf(page);
    const pieces = page.pieces.map(({ word, start, end }, index) => ({ word, start, end, piece: index + 1 }));
    const inside = (from: number, to: number) =>
      pieces
        .filter(({ word, start, end }) => word === 0 && start >= from && end <= to)
        .map(({ piece }) => piece);
    expect(stretch?.spanOf(inside('Total:'.length, 'Total:8'.length)).text).toBe('8,70');
    const [last] = pieces.filter(({ word }) => word === 1);
    expect(stretch?.spanOf([last?.piece ?? 0]).text).toBe('Rechnung');
  });

  it('overlaps the next, of which each owns the rows of one half', () => {
    const words = Array.from({ length: 900 }, (_, index) => ({
      text: 'a',
      x0: 0,
      y0: index * 10,
      x1: 5,
      y1: index * 10 + 8,
    }));
    const stretches = stretchesOf(pagePieces(words, vocabulary));
    expect(stretches.map(({ size, first, last }) => ({ size, first, last }))).toEqual([
      { size: 512, first: 1, last: 411 },
      { size: 512, first: 100, last: 411 },
      { size: 277, first: 100, last: 512 },
    ]);
  });

  it('is one of a bounded number, however long the page', () => {
    const words = Array.from({ length: 20_000 }, (_, index) => ({
      text: 'a',
      x0: 0,
      y0: index * 10,
      x1: 5,
      y1: index * 10 + 8,
    }));
    expect(stretchesOf(pagePieces(words, vocabulary))).toHaveLength(14);
  });
});
