import type { LineBox } from './line-box.ts';
import type { RecognisedLine } from './line-recogniser.ts';

/**
 * The network tells characters apart by steps of eight pixels. 370 lines of spoilt pages were read at 55 to 85 % of their
 * width: with 1.65 steps and more for a character one reading in a hundred was another than at full width, seldom a
 * better one; with 1.5 one in fifteen was, with 1.2 every second.
 */
const WANTED_STEPS = 1.8;
const MIN_STEPS = 1.65;
/** Where a character stands is known to a step only, and steps are wider on a line made narrower. */
const MIN_SHARE = 0.6;
/** Little is won below, and few characters say little of the others. */
const MIN_CHARACTERS = 20;
const MIN_LENGTH_IN_HEIGHTS = 10;
const LEARNT_LINES = 3;
/** A line that is read with less may have lost something. */
const MIN_CONFIDENCE = 0.9;
/** Where the scripts begin whose characters are as wide as tall, and full of strokes. */
const FIRST_WIDE = 0x2e80;

/**
 * How narrow the lines of a page may be made before they are read. A line costs by its width, and one in wide type has
 * more of it than reading needs; the first lines of a page tell how its type runs.
 */
export class LineSqueeze {
  #learntLines = 0;
  /** For a character, of all lines so far, at their full width. */
  #fewestSteps = Number.POSITIVE_INFINITY;
  #hasWide = false;

  /** The share of its width at which to read a line. */
  shareOf(box: LineBox): number {
    if (this.#hasWide || this.#learntLines < LEARNT_LINES) return 1;
    if (box.length < MIN_LENGTH_IN_HEIGHTS * box.height) return 1;
    return Math.min(1, Math.max(MIN_SHARE, WANTED_STEPS / this.#fewestSteps));
  }

  /** Whether a line that was read at a share of its width need not be read again at all of it. */
  suffices(line: RecognisedLine, share: number): boolean {
    if (share === 1) return true;
    return line.confidence >= MIN_CONFIDENCE && stepsPerCharacter(line) >= MIN_STEPS && !hasWide(line);
  }

  /** Takes note of a line that was read at a share of its width. */
  learn(line: RecognisedLine, share: number): void {
    this.#hasWide ||= hasWide(line);
    if (line.confidence < MIN_CONFIDENCE || line.characters.length < MIN_CHARACTERS) return;
    this.#learntLines += 1;
    this.#fewestSteps = Math.min(this.#fewestSteps, stepsPerCharacter(line) / share);
  }
}

function stepsPerCharacter({ steps, characters }: RecognisedLine): number {
  return steps / Math.max(1, characters.length);
}

function hasWide({ characters }: RecognisedLine): boolean {
  return characters.some(({ text }) => (text.codePointAt(0) ?? 0) >= FIRST_WIDE);
}
