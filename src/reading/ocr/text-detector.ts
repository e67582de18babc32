import { type RgbRaster, resized } from './decode-image.ts';
import { fitLineBox } from './fit-line-box.ts';
import type { LineBox } from './line-box.ts';
import { type OnnxSession, openOnnxSession } from './onnx-session.ts';
import { findTextRegions, type HeatMap } from './text-regions.ts';

/** At this size a line of small print on a page of A4 is 9 pixels tall, which the network still sees. */
const LONGEST_SIDE = 1_600;
/** Below this a picture is a cutting, or a page of few pixels, and its lines are too small for the network. */
const SHORTEST_LONG_SIDE = 1_120;
const MAX_ENLARGEMENT = 2;
const STRIDE = 32;
const MEAN = 127.5;

/** Finds the lines of text in a picture. */
export class TextDetector {
  readonly #session: OnnxSession;

  private constructor(session: OnnxSession) {
    this.#session = session;
  }

  static async open(modelPath: string): Promise<TextDetector> {
    return new TextDetector(await openOnnxSession(modelPath));
  }

  /** Lines that run up or down point up here; which way they really run is not known yet. */
  async detect(raster: RgbRaster): Promise<readonly LineBox[]> {
    const { width, height } = networkSize(raster);
    const scaled = await resized(raster, width, height);
    const heat = await this.#heatMap(scaled);
    const stretch = { x: raster.width / width, y: raster.height / height };
    return findTextRegions(heat).flatMap((region) => fitLineBox(region, stretch) ?? []);
  }

  async #heatMap({ data, width, height }: RgbRaster): Promise<HeatMap> {
    const plane = width * height;
    const input = new Float32Array(3 * plane);
    // The network was trained on blue, green, red.
    for (let index = 0, from = 0; index < plane; index += 1, from += 3) {
      input[index] = ((data[from + 2] ?? 0) - MEAN) / MEAN;
      input[plane + index] = ((data[from + 1] ?? 0) - MEAN) / MEAN;
      input[2 * plane + index] = ((data[from] ?? 0) - MEAN) / MEAN;
    }
    const output = await this.#session.run(input, [1, 3, height, width]);
    return { data: output.data, width, height };
  }
}

function networkSize({ width, height }: RgbRaster): { width: number; height: number } {
  const longest = Math.max(width, height);
  const scale =
    longest > LONGEST_SIDE
      ? LONGEST_SIDE / longest
      : Math.min(MAX_ENLARGEMENT, Math.max(1, SHORTEST_LONG_SIDE / longest));
  const rounded = (side: number) => Math.max(STRIDE, Math.round((side * scale) / STRIDE) * STRIDE);
  return { width: rounded(width), height: rounded(height) };
}
