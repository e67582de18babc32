import { decodeCtc, type SpottedCharacter } from './decode-ctc.ts';
import type { RgbRaster } from './decode-image.ts';
import type { LineBox } from './line-box.ts';
import { withLostSpaces } from './lost-spaces.ts';
import { type OnnxSession, openOnnxSession } from './onnx-session.ts';
import { plainCharacters } from './plain-characters.ts';
import { readAlphabet } from './recogniser-alphabet.ts';
import { type LineStrip, straightenLine } from './straighten-line.ts';

export interface RecognisedLine {
  readonly box: LineBox;
  readonly characters: readonly SpottedCharacter[];
  /** The mean over its characters; 0 if there are none. */
  readonly confidence: number;
  /** Network steps along the line, padding excluded. */
  readonly steps: number;
}

const STRIP_HEIGHT = 48;
const MAX_STRIP_WIDTH = 3_200;
/** The network was trained with padding after the text; without it the last character suffers. */
const ROOM_BEHIND = 16;

/** Reads lines one by one: on one thread a batch would only add padding. */
export class LineRecogniser {
  readonly #session: OnnxSession;
  readonly #alphabet: readonly string[];

  private constructor(session: OnnxSession, alphabet: readonly string[]) {
    this.#session = session;
    this.#alphabet = alphabet;
  }

  static async open(modelPath: string, dictionaryPath: string | undefined): Promise<LineRecogniser> {
    const alphabet = await readAlphabet(modelPath, dictionaryPath);
    return new LineRecogniser(await openOnnxSession(modelPath, { keepsMemory: true }), alphabet);
  }

  /** Reads a line scaled to a fraction of its width; cost is proportional to width. */
  async recognise(raster: RgbRaster, box: LineBox, fraction = 1): Promise<RecognisedLine> {
    const strip = straightenLine(raster, box, { height: STRIP_HEIGHT, maxWidth: MAX_STRIP_WIDTH, fraction });
    const padded = withRoom(strip);
    const output = await this.#session.run(padded.data, [1, 3, padded.height, padded.width]);
    const [, steps = 0, classes = 0] = output.shape;
    const stretch = padded.width / strip.width;
    const spotted = decodeCtc(output.data, this.#alphabet, { steps, classes });
    const total = spotted.reduce((sum, { confidence }) => sum + confidence, 0);
    const characters = plainCharacters(withLostSpaces(spotted)).map((character) => ({
      ...character,
      at: Math.min(1, character.at * stretch),
    }));
    const confidence = spotted.length === 0 ? 0 : total / spotted.length;
    return { box, characters, confidence, steps: steps / stretch };
  }
}

function withRoom({ data, width, height }: LineStrip): LineStrip {
  const wide = Math.ceil((width + ROOM_BEHIND) / 8) * 8;
  const padded = new Float32Array(3 * wide * height);
  for (let row = 0; row < 3 * height; row += 1) {
    padded.set(data.subarray(row * width, (row + 1) * width), row * wide);
  }
  return { data: padded, width: wide, height };
}
