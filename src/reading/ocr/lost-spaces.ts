import type { SpottedCharacter } from './decode-ctc.ts';

/** How likely a space has to be where blank was likelier. */
const MIN_LIKELIHOOD = 0.05;
/** How far apart characters with a space between them stand, in steps from one character to the next of their line. */
const MIN_PITCHES = 1.4;

/**
 * Puts back spaces that the network saw and lost to blank, mostly behind a colon or between figures. Neither the
 * likelihood nor the distance is enough by itself: of 11,000 pairs of characters on generated pages, m and w stand as far
 * from their neighbours as words do, and commas in figures look a little like spaces; both together were never wrong.
 */
export function withLostSpaces(characters: readonly SpottedCharacter[]): readonly SpottedCharacter[] {
  const widest = MIN_PITCHES * meanPitch(characters);
  return characters.flatMap((character, index) => {
    const before = characters[index - 1];
    const isLost =
      before !== undefined &&
      isInk(before) &&
      isInk(character) &&
      character.spaceBefore >= MIN_LIKELIHOOD &&
      character.at - before.at >= widest;
    return isLost ? [spaceBetween(before, character), character] : [character];
  });
}

function meanPitch(characters: readonly SpottedCharacter[]): number {
  const pitches = characters.flatMap((character, index) => {
    const before = characters[index - 1];
    return before !== undefined && isInk(before) && isInk(character) ? [character.at - before.at] : [];
  });
  return pitches.reduce((sum, pitch) => sum + pitch, 0) / Math.max(1, pitches.length);
}

/** Whether a character is anything but a space. */
export function isInk({ text }: SpottedCharacter): boolean {
  return text.trim() !== '';
}

/** A space in the middle between two characters. */
export function spaceBetween(before: SpottedCharacter, after: SpottedCharacter): SpottedCharacter {
  return { text: ' ', at: (before.at + after.at) / 2, confidence: 1, spaceBefore: 0 };
}
