/** Properties of a page that decide whether it needs OCR. */
export interface PageSigns {
  readonly words: readonly string[];
  readonly characters: number;
  /** Characters without a Unicode mapping. */
  readonly unmapped: number;
  /** Invisible characters. */
  readonly hidden: number;
  /** Fraction of the page covered by pictures, from 0 to 1. */
  readonly pictureCover: number;
  /** Vector shapes. */
  readonly outlines: number;
}

const MIN_PICTURE = 0.03;
/** Fewer shapes are ruled lines; more may be letters converted to outlines. */
const MANY_OUTLINES = 40;
const MAX_UNMAPPED_FRACTION = 0.15;
const MIN_JUDGED_WORDS = 15;
const MIN_READABLE_FRACTION = 0.45;
const MOSTLY_PICTURE = 0.5;
const FEW_CHARACTERS = 120;
const MOSTLY_HIDDEN = 0.7;
const MIN_READABLE_HIDDEN_FRACTION = 0.78;
const MAX_OTHER_SCRIPT_FRACTION = 0.3;

const WORD_LIKE =
  /^[\p{P}\p{S}]*(\p{L}{2,}(['’-]\p{L}+)*|[aeiouyàéó]|[\p{L}.\-/_@#]*\d[\p{L}\d.,:/%()@#_–-]*)[\p{P}\p{S}]*$/iu;

/** A longer one is no word, and the pattern takes time by the square of its length. */
const MOST_WORD_CHARACTERS = 100;
const OTHER_LETTER = /(?!\p{Script=Latin})\p{L}/u;

/** Whether the text layer is missing or unusable, so that the page must be read by OCR. */
export function needsOcr(signs: PageSigns): boolean {
  const { words, characters, unmapped, hidden, pictureCover, outlines } = signs;
  if (characters === 0) return pictureCover >= MIN_PICTURE || outlines >= MANY_OUTLINES;
  if (unmapped / characters > MAX_UNMAPPED_FRACTION) return true;
  const readable = fraction(words, isWordLike);
  // The test for word-like text knows Latin letters only.
  const isLatin = fraction(words, (word) => OTHER_LETTER.test(word)) < MAX_OTHER_SCRIPT_FRACTION;
  if (isLatin && words.length >= MIN_JUDGED_WORDS && readable < MIN_READABLE_FRACTION) return true;
  if (pictureCover < MOSTLY_PICTURE) return false;
  const isBadScanLayer =
    hidden / characters > MOSTLY_HIDDEN && isLatin && readable < MIN_READABLE_HIDDEN_FRACTION;
  return characters < FEW_CHARACTERS || isBadScanLayer;
}

function fraction(words: readonly string[], isCounted: (word: string) => boolean): number {
  return words.length === 0 ? 0 : words.filter(isCounted).length / words.length;
}

// Shifted encodings give words of punctuation, or unpronounceable ones.
function isWordLike(word: string): boolean {
  if (word.length > MOST_WORD_CHARACTERS) return false;
  const marks = word.match(/[\p{P}\p{S}]/gu)?.length ?? 0;
  return WORD_LIKE.test(word) && marks <= word.length / 2 && canBeSaid(word);
}

function canBeSaid(word: string): boolean {
  const letters = word.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return letters < 4 || /\p{Lu}{2}/u.test(word) || /[aeiouyáàâäãåæéèêëíìîïóòôöõøœúùûüý]/iu.test(word);
}
