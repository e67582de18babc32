import type { RgbRaster } from './decode-image.ts';
import type { LineBox } from './line-box.ts';
import { type OnnxSession, openOnnxSession } from './onnx-session.ts';
import { straightenLine } from './straighten-line.ts';

const HEIGHT = 48;
const WIDTH = 192;

/** Detects upside-down lines. */
export class LineClassifier {
  readonly #session: OnnxSession;

  private constructor(session: OnnxSession) {
    this.#session = session;
  }

  static async open(modelPath: string): Promise<LineClassifier> {
    return new LineClassifier(await openOnnxSession(modelPath, { keepsMemory: true }));
  }

  /** The likelihood, from 0 to 1, judged by the start of the line. */
  async upsideDown(raster: RgbRaster, box: LineBox): Promise<number> {
    const strip = straightenLine(raster, opening(box), { height: HEIGHT, maxWidth: WIDTH });
    const input = new Float32Array(3 * WIDTH * HEIGHT);
    for (let row = 0; row < 3 * HEIGHT; row += 1) {
      input.set(strip.data.subarray(row * strip.width, (row + 1) * strip.width), row * WIDTH);
    }
    const { data } = await this.#session.run(input, [1, 3, HEIGHT, WIDTH]);
    return data[1] ?? 0;
  }
}

function opening(box: LineBox): LineBox {
  const length = Math.min(box.length, (box.height * WIDTH) / HEIGHT);
  const shift = (length - box.length) / 2;
  return { ...box, length, cx: box.cx + shift * box.ux, cy: box.cy + shift * box.uy };
}
