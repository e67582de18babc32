import type { LineBox } from './line-box.ts';
import type { RecognisedLine } from './line-recogniser.ts';

/**
 * The network separates characters by steps of eight pixels. 370 lines of degraded pages were read at 55 to 85 % of their width:
 * with 1.65 or more steps per character, one reading in a hundred differed from the one at full width, seldom for the better;
 * with 1.5 one in fifteen, with 1.2 every second.
 */
const WANTED_STEPS = 1.8;
const MIN_STEPS = 1.65;
/** Character positions are accurate to one step, and steps cover more of a narrowed line. */
const MIN_FRACTION = 0.6;
/** Short lines gain little and predict little. */
const MIN_CHARACTERS = 20;
const MIN_LENGTH_IN_HEIGHTS = 10;
const LEARNT_LINES = 3;
/** Below this, a narrowed line may have lost something. */
const MIN_CONFIDENCE = 0.9;
/** First code point of scripts with square, dense characters. */
const FIRST_WIDE = 0x2e80;

/**
 * How far the lines of a page can be narrowed before reading. Cost is proportional to width, and wide type has more than reading
 * needs; the first lines of a page show its type.
 */
export class LineSqueeze {
  #learntLines = 0;
  /** Fewest steps per character of all lines so far, at full width. */
  #fewestSteps = Number.POSITIVE_INFINITY;
  #hasWide = false;

  /** The fraction of its width at which to read a line. */
  fractionOf(box: LineBox): number {
    if (this.#hasWide || this.#learntLines < LEARNT_LINES) return 1;
    if (box.length < MIN_LENGTH_IN_HEIGHTS * box.height) return 1;
    return Math.min(1, Math.max(MIN_FRACTION, WANTED_STEPS / this.#fewestSteps));
  }

  /** Whether a narrowed reading is good enough. */
  suffices(line: RecognisedLine, fraction: number): boolean {
    if (fraction === 1) return true;
    return line.confidence >= MIN_CONFIDENCE && stepsPerCharacter(line) >= MIN_STEPS && !hasWide(line);
  }

  /** Records a reading. */
  learn(line: RecognisedLine, fraction: number): void {
    this.#hasWide ||= hasWide(line);
    if (line.confidence < MIN_CONFIDENCE || line.characters.length < MIN_CHARACTERS) return;
    this.#learntLines += 1;
    this.#fewestSteps = Math.min(this.#fewestSteps, stepsPerCharacter(line) / fraction);
  }
}

function stepsPerCharacter({ steps, characters }: RecognisedLine): number {
  return steps / Math.max(1, characters.length);
}

function hasWide({ characters }: RecognisedLine): boolean {
  return characters.some(({ text }) => (text.codePointAt(0) ?? 0) >= FIRST_WIDE);
}
