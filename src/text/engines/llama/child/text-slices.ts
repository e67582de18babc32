const SLICE_CHARACTERS = 32 * 1024;
const LONGEST_SLICE_CHARACTERS = 512 * 1024;

/**
 * Splits a text where every byte-pair tokenizer starts a new word: before a space after a letter or digit. So the tokens of the slices are
 * the tokens of the text. Only a run of 512 Ki characters without such a space is split elsewhere, which can change its count by a token.
 */
export function* textSlices(text: string): Generator<string> {
  let at = 0;
  while (text.length - at > SLICE_CHARACTERS) {
    const end = cutAfter(text, at + SLICE_CHARACTERS, at + LONGEST_SLICE_CHARACTERS);
    yield text.slice(at, end);
    at = end;
  }
  if (at < text.length) yield text.slice(at);
}

function cutAfter(text: string, from: number, bound: number): number {
  for (let space = text.indexOf(' ', from); space !== -1 && space < bound; ) {
    if (/[\p{L}\p{N}]/u.test(text.charAt(space - 1))) return space;
    space = text.indexOf(' ', space + 1);
  }
  if (bound >= text.length) return text.length;
  return isLowSurrogate(text.charCodeAt(bound)) ? bound + 1 : bound;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
