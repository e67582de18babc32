import type { SpottedCharacter } from './decode-ctc.ts';
import { isInk, spaceBetween } from './lost-spaces.ts';

/**
 * Compatibility forms of letters and figures that are always equivalent. Forms with a meaning of their own, such as ², ½ or ™,
 * stay.
 */
const SAME_ANYWHERE = /^[Ａ-Ｚａ-ｚ０-９ﬀ-ﬆĲĳĿŀŉſǄ-ǌǱ-ǳ₨℃℉Å]$/u;
/** Forms used in Chinese and Japanese; elsewhere they are misreadings. */
const WIDE = /^[！-／：-＠［-｀｛-～￠￡￥￦﹐-﹫Ⅰ-Ⅿⅰ-ⅿ]$/u;
const OTHER_WIDE: ReadonlyMap<string, string> = new Map([
  ['、', ','],
  ['。', '.'],
  ['【', '['],
  ['】', ']'],
  ['〔', '['],
  ['〕', ']'],
  ['〜', '~'],
  ['ー', '-'],
]);
/** The long vowel mark is a letter by category but looks like a dash. */
const LETTER = /(?![ー])\p{L}/u;
const EAST_ASIAN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}]/u;

const OPENING = /^[([{]$/;
const CLOSING = /^[)\]}]$/;
const PAUSE = /^[,;:!?.]$/;
const FIGURE = /^\p{N}/u;
const WORD = /^[\p{L}\p{N}]/u;
const WORD_OR_END = /[\p{L}\p{N})\]}.,;:!?]$/u;

/** A normalised character; a full-width one included its spacing. */
interface PlainCharacter {
  readonly spotted: SpottedCharacter;
  readonly wasWide: boolean;
}

/**
 * Normalises a line. Models that also read Chinese see full-width brackets and figures among Latin letters; these become ASCII,
 * with the space they included. Between Chinese and Japanese letters they are kept.
 */
export function plainCharacters(characters: readonly SpottedCharacter[]): readonly SpottedCharacter[] {
  if (!characters.some(({ text }) => SAME_ANYWHERE.test(text) || isWide(text))) return characters;
  const plain = characters.map((spotted, index) => plainAt(characters, spotted, index));
  return plain.flatMap((character, index) => spacedAt(plain, character, index));
}

function plainAt(
  line: readonly SpottedCharacter[],
  spotted: SpottedCharacter,
  index: number,
): PlainCharacter {
  const { text } = spotted;
  if (SAME_ANYWHERE.test(text)) return { spotted: { ...spotted, text: folded(text) }, wasWide: false };
  if (!isWide(text) || isAmongEastAsian(line, index)) return { spotted, wasWide: false };
  return { spotted: { ...spotted, text: OTHER_WIDE.get(text) ?? folded(text) }, wasWide: true };
}

function isWide(text: string): boolean {
  return WIDE.test(text) || OTHER_WIDE.has(text);
}

function folded(text: string): string {
  return text.normalize('NFKC');
}

/** Whether the nearest letter on either side is Chinese, Japanese or Korean. */
function isAmongEastAsian(line: readonly SpottedCharacter[], index: number): boolean {
  const before = line.slice(0, index).findLast(({ text }) => LETTER.test(text));
  const after = line.slice(index + 1).find(({ text }) => LETTER.test(text));
  return [before, after].some((letter) => letter !== undefined && EAST_ASIAN.test(letter.text));
}

/** Adds a space before the character if a wide one had room there; drops a space that was room within brackets. */
function spacedAt(
  line: readonly PlainCharacter[],
  character: PlainCharacter,
  index: number,
): readonly SpottedCharacter[] {
  const before = line[index - 1];
  const { spotted } = character;
  if (!isInk(spotted)) {
    const after = line.slice(index + 1).find((next) => isInk(next.spotted));
    const isWithin = is(OPENING, lastInk(line, index)) || is(CLOSING, after);
    return isWithin ? [] : [spotted];
  }
  if (before === undefined || !hadRoomBetween(line, index)) return [spotted];
  return [spaceBetween(before.spotted, spotted), spotted];
}

function hadRoomBetween(line: readonly PlainCharacter[], index: number): boolean {
  const [before, after] = [line[index - 1], line[index]];
  if (before === undefined || after === undefined) return false;
  if (is(OPENING, after)) return WORD_OR_END.test(before.spotted.text);
  if (!WORD.test(after.spotted.text)) return false;
  if (is(CLOSING, before)) return true;
  // A point is mostly part of a figure or abbreviation, and so is a comma or colon between figures.
  const isWithinFigure = FIGURE.test(after.spotted.text) && FIGURE.test(line[index - 2]?.spotted.text ?? '');
  return is(PAUSE, before) && before.spotted.text !== '.' && !isWithinFigure;
}

/** Whether a character was wide and is now one of these. */
function is(kind: RegExp, character: PlainCharacter | undefined): boolean {
  return character?.wasWide === true && kind.test(character.spotted.text);
}

function lastInk(line: readonly PlainCharacter[], index: number): PlainCharacter | undefined {
  return line.slice(0, index).findLast(({ spotted }) => isInk(spotted));
}
