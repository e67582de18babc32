import { describe, expect, it } from 'vitest';
import { joinLaidOut, layOut } from './lay-out.ts';
import type { PlacedWord } from './placed-word.ts';

const box = { x0: 0, y0: 0, x1: 1, y1: 1 };

/** The words of a line, ten units per character. */
function line(text: string, { x = 0, y = 0, slope = 0 } = {}): PlacedWord[] {
  const words: PlacedWord[] = [];
  for (const match of text.matchAll(/\S+/g)) {
    const x0 = x + match.index * 10;
    const y0 = y + slope * x0;
    words.push({
      text: match[0],
      x0,
      x1: x0 + match[0].length * 10,
      y0,
      y1: y0 + 16,
      confidence: 1,
      box,
      slope,
    });
  }
  return words;
}

const lines = (texts: readonly string[], options: { x?: number; leading?: number } = {}) =>
  texts.flatMap((text, index) => line(text, { x: options.x ?? 0, y: index * (options.leading ?? 20) }));

describe('layout', () => {
  it('says nothing of an empty page', () => {
    expect(layOut([])).toEqual({ text: '', lines: [] });
  });

  it('keeps the rows and columns of a table', () => {
    const rows = [
      'Item          Qty      Price',
      'Lamp, brass   2        10.00',
      'Bucket        13    1,250.00',
    ];
    expect(layOut(lines(rows)).text).toBe(rows.join('\n'));
  });

  it('takes out the lines of a ruled table, however OCR read them', () => {
    const rows = [
      '| Station  | Max temp I Rain',
      'I Aberdeen | 14.2     I 98.0',
      '  Cardiff    17.8     1 64.1',
      '| Belfast  l 15.0     | 11.2',
    ];
    expect(
      layOut(lines(rows))
        .text.split('\n')
        .map((row) => row.trim()),
    ).toEqual([
      'Station    Max temp   Rain',
      'Aberdeen   14.2       98.0',
      'Cardiff    17.8       64.1',
      'Belfast    15.0       11.2',
    ]);
  });

  it('keeps bars that are all the same, and a column of figures with a one misread', () => {
    const barred = ['a | b', 'c | d', 'e | f'];
    expect(layOut(lines(barred)).text).toBe(barred.join('\n'));
    const figures = ['Lamp     1', 'Bucket   I', 'Clock   12', 'Chair    1'];
    expect(layOut(lines(figures)).text).toBe(figures.join('\n'));
  });

  it('keeps rows together when the page lies askew', () => {
    const rows = [
      'Item          Qty      Price',
      'Lamp, brass   2        10.00',
      'Bucket        13    1,250.00',
      'Clock         5        99.00',
    ];
    const skewed = rows.flatMap((text, index) => line(text, { y: index * 20, slope: 0.05 }));
    expect(layOut(skewed).lines.map(({ text }) => text.replace(/ +/g, ' '))).toEqual(
      rows.map((row) => row.replace(/ +/g, ' ')),
    );
  });

  it('reads columns of prose one after the other, below what stands across both', () => {
    const left = Array.from({ length: 10 }, (_, index) => `left column line ${index} has words`);
    const right = Array.from({ length: 10 }, (_, index) => `right column says ${index} and more`);
    const across = line('A title that stands across both of the columns of this page here', { y: -30 });
    const { text } = layOut([...across, ...lines(left), ...lines(right, { x: 420 })]);
    const said = text.replace(/\s+/g, ' ');
    expect(said.indexOf('left column line 9')).toBeLessThan(said.indexOf('right column says 0'));
    expect(said.startsWith('A title')).toBe(true);
  });

  it('reads three columns whose lines stand at different heights', () => {
    const column = (name: string) =>
      Array.from({ length: 9 }, (_, index) => `${name} one two three ${index}`);
    const words = ['aa', 'bb', 'cc'].flatMap((name, index) =>
      column(name).flatMap((text, row) => line(text, { x: index * 280, y: row * 22 + index * 9 })),
    );
    const said = layOut(words).text.replace(/\s+/g, ' ').trim();
    expect(said).toBe(['aa', 'bb', 'cc'].flatMap(column).join(' '));
  });

  it('does not take a wide table for columns of prose', () => {
    const rows = Array.from(
      { length: 12 },
      (_, index) => `Position ${index} blue     ${index} pieces     ${index}.00 EUR`,
    );
    expect(layOut(lines(rows)).text).toBe(rows.join('\n'));
  });

  it('joins words that were broken at the end of a line, and only those', () => {
    const { text } = layOut(lines(['we sign the agree-', 'ment today for A-', 'Team and 20-', 'thirty']));
    expect(text.replace(/\n +/g, '\n')).toBe('we sign the agreement\ntoday for A-\nTeam and 20-\nthirty');
  });

  it('leaves a hyphen in a table alone', () => {
    const rows = ['size      large-', 'colour    blue'];
    expect(layOut(lines(rows)).text).toBe(rows.join('\n'));
  });

  it('says right-to-left rows in the order in which they are read, numbers the other way', () => {
    const words = line('םולש 12 May').map((word) => ({
      ...word,
      text: word.text === 'םולש' ? 'שלום' : word.text,
    }));
    const placed = [
      { ...words[0], x0: 200, x1: 240 },
      { ...words[1], x0: 100, x1: 120 },
      { ...words[2], x0: 130, x1: 160 },
      { ...words[0], text: 'עולם', x0: 50, x1: 90 },
      { ...words[0], text: 'רחב', x0: 0, x1: 40 },
    ] as PlacedWord[];
    const said = layOut(placed).lines[0]?.words.map(({ text }) => text);
    expect(said).toEqual(['שלום', '12', 'May', 'עולם', 'רחב']);
  });

  it('marks the gap between paragraphs with an empty line', () => {
    const { text } = layOut([...line('first part'), ...line('second part', { y: 60 })]);
    expect(text).toBe('first part\n\nsecond part');
  });

  it('gives each line the box around its words', () => {
    const words = line('one two').map((word, index) => ({
      ...word,
      box: { x0: index * 0.5, y0: 0.1, x1: index * 0.5 + 0.4, y1: 0.2 },
    }));
    expect(layOut(words).lines[0]?.box).toEqual({ x0: 0, y0: 0.1, x1: 0.9, y1: 0.2 });
  });

  it('tells where words stand on the level page, in the order of the text', () => {
    const [first, second] = layOut(line('one two', { slope: 0.1 }).concat(line('three', { y: 40 }))).lines;
    expect(first?.places?.length).toBe(8);
    expect(Array.from(second?.places ?? [])).toEqual([0, 40, 50, 56]);
  });

  it('puts a part of the page that runs in another direction below the others', () => {
    const parts = [layOut(line('main', { y: 100 })), layOut(line('margin', { y: 10 }))];
    const { text, lines } = joinLaidOut(parts);
    expect(text).toBe('main\n\nmargin');
    expect(lines.map(({ places = [] }) => Array.from(places))).toEqual([
      [0, 100, 40, 116],
      [0, 116, 60, 132],
    ]);
  });
});
