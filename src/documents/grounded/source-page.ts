import type { WordPlace } from '../../reading/fields/field-finder.ts';
import type { PageBox, PageText } from '../../reading/page-text.ts';

/** A word of a file. */
export interface SourceWord {
  readonly text: string;
  /** Offsets in the file's text. */
  readonly start: number;
  readonly end: number;
  /** Undefined if the page has no boxes. */
  readonly box: PageBox | undefined;
}

/** A page of a file. */
export interface SourcePage {
  readonly text: string;
  readonly words: readonly SourceWord[];
  /** Where the words stand. */
  readonly places: readonly WordPlace[];
}

/** The grid on which words stand that have no places: the proportions of letters. */
const [CHARACTER_WIDTH, LINE_HEIGHT, LETTER_HEIGHT] = [8, 18, 14];

/** Finds the words of a page in its text, which begins at an offset of the file's. */
export function sourcePage(page: PageText, offset: number): SourcePage {
  const text = page.text.trimEnd();
  const found = page.lines.length > 0 ? wordsOfLines(page, text) : wordsOfText(text);
  const isPlaced = found.every(({ place }) => place !== undefined);
  const places = isPlaced ? found.flatMap(({ place }) => place ?? []) : gridPlaces(text, found);
  const words = found.map(({ start, end, text: word, box }) => ({
    text: word,
    start: offset + start,
    end: offset + end,
    box,
  }));
  return { text, words, places };
}

interface FoundWord extends SourceWord {
  readonly place: WordPlace | undefined;
}

function wordsOfText(text: string): readonly FoundWord[] {
  return Array.from(text.matchAll(/\S+/g), ({ 0: word, index }) => ({
    text: word,
    start: index,
    end: index + word.length,
    box: undefined,
    place: undefined,
  }));
}

/** The text holds the lines in order, and a line its words. */
function wordsOfLines({ lines }: PageText, text: string): readonly FoundWord[] {
  let from = 0;
  return lines.flatMap((line) => {
    const begin = text.indexOf(line.text, from);
    if (begin < 0) return [];
    let at = begin;
    from = begin + line.text.length;
    return line.words.flatMap(({ text: word, box }, index) => {
      const start = text.indexOf(word, at);
      if (start < 0 || start + word.length > from) return [];
      at = start + word.length;
      return [{ text: word, start, end: at, box, place: placeOf(word, line.places?.subarray(4 * index)) }];
    });
  });
}

function placeOf(text: string, numbers: Float32Array | undefined): WordPlace | undefined {
  if (numbers === undefined || numbers.length < 4) return undefined;
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = numbers;
  return { text, x0, y0, x1, y1 };
}

function gridPlaces(text: string, words: readonly SourceWord[]): readonly WordPlace[] {
  let [row, lineStart] = [0, 0];
  return words.map(({ text: word, start, end }) => {
    for (
      let next = text.indexOf('\n', lineStart);
      next >= 0 && next < start;
      next = text.indexOf('\n', lineStart)
    ) {
      lineStart = next + 1;
      row += 1;
    }
    const [x0, x1] = [start - lineStart, end - lineStart].map((column) => column * CHARACTER_WIDTH);
    const y0 = row * LINE_HEIGHT;
    return { text: word, x0: x0 ?? 0, x1: x1 ?? 0, y0, y1: y0 + LETTER_HEIGHT };
  });
}
