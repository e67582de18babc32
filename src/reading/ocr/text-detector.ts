import { median } from '../layout/placed-word.ts';
import { type RgbRaster, resized, turnedByQuarter } from './decode-image.ts';
import { fitLineBox } from './fit-line-box.ts';
import { inkAreas, type PixelArea } from './ink-areas.ts';
import { isLong, type LineBox, runVertically } from './line-box.ts';
import { type OnnxSession, openOnnxSession } from './onnx-session.ts';
import { findTextRegions, type HeatMap } from './text-regions.ts';

/** Most of OCR's time is spent here and grows with the area; at this size eight-point type on A4 is 12 pixels tall. */
const LONGEST_SIDE = 1_280;
/** Smaller pictures are enlarged: their lines are too small for the network. */
const SHORTEST_LONG_SIDE = 1_120;
const MAX_ENLARGEMENT = 2;
/** Lines less tall than this, in network pixels, are detected again at a larger scale. */
const SMALL_LINE = 11;
const WANTED_LINE = 16;
const LONGEST_FINE_SIDE = 2_400;
const STRIDE = 32;
const MEAN = 127.5;

/** Finds the lines of text in a picture. */
export class TextDetector {
  readonly #session: OnnxSession;

  private constructor(session: OnnxSession) {
    this.#session = session;
  }

  static async open(modelPath: string): Promise<TextDetector> {
    return new TextDetector(await openOnnxSession(modelPath, { keepsMemory: false }));
  }

  /** Vertical lines point up; their real direction is not known yet. */
  async detect(raster: RgbRaster): Promise<readonly LineBox[]> {
    const scale = firstScale(raster);
    const boxes = await this.#detectAt(raster, scale);
    const finer = finerScale(raster, boxes, scale);
    if (runVertically(boxes)) return this.#detectTurned(raster, finer ?? scale);
    return finer === undefined ? boxes : this.#detectAt(raster, finer);
  }

  /** On a page that lies on its side the network mistakes columns of figures for lines. */
  async #detectTurned(raster: RgbRaster, scale: number): Promise<readonly LineBox[]> {
    const boxes = await this.#detectAt(await turnedByQuarter(raster), scale);
    return boxes.map((box) => ({
      ...box,
      cx: box.cy,
      cy: raster.height - box.cx,
      ux: box.uy,
      uy: -box.ux,
    }));
  }

  async #detectAt(raster: RgbRaster, scale: number): Promise<readonly LineBox[]> {
    const { width, height } = networkSize(raster, scale);
    const scaled = await resized(raster, width, height);
    const stretch = { x: raster.width / width, y: raster.height / height };
    const boxes: LineBox[] = [];
    for (const area of inkAreas(scaled, STRIDE)) {
      const heat = await this.#heatMap(scaled, area);
      for (const region of findTextRegions(heat)) {
        const box = fitLineBox(region, stretch);
        if (box) boxes.push(moved(box, area, stretch));
      }
    }
    return boxes;
  }

  async #heatMap({ data, width }: RgbRaster, area: PixelArea): Promise<HeatMap> {
    const plane = area.width * area.height;
    const input = new Float32Array(3 * plane);
    // The network was trained on BGR.
    for (let y = 0, index = 0; y < area.height; y += 1) {
      let from = ((area.top + y) * width + area.left) * 3;
      for (let x = 0; x < area.width; x += 1, index += 1, from += 3) {
        input[index] = ((data[from + 2] ?? 0) - MEAN) / MEAN;
        input[plane + index] = ((data[from + 1] ?? 0) - MEAN) / MEAN;
        input[2 * plane + index] = ((data[from] ?? 0) - MEAN) / MEAN;
      }
    }
    const output = await this.#session.run(input, [1, 3, area.height, area.width]);
    return { data: output.data, width: area.width, height: area.height };
  }
}

/** Translates a box from an area to the whole picture. */
function moved(box: LineBox, { left, top }: PixelArea, stretch: { x: number; y: number }): LineBox {
  return { ...box, cx: box.cx + left * stretch.x, cy: box.cy + top * stretch.y };
}

function firstScale({ width, height }: RgbRaster): number {
  const longest = Math.max(width, height);
  if (longest > LONGEST_SIDE) return LONGEST_SIDE / longest;
  return Math.min(MAX_ENLARGEMENT, Math.max(1, SHORTEST_LONG_SIDE / longest));
}

/** Undefined if lines are tall enough, or the picture has no more resolution. */
function finerScale(
  { width, height }: RgbRaster,
  boxes: readonly LineBox[],
  scale: number,
): number | undefined {
  const line = median(boxes.filter(isLong).map((box) => box.height)) * scale;
  if (line === 0 || line >= SMALL_LINE) return undefined;
  const finer = Math.min(1, (scale * WANTED_LINE) / line, LONGEST_FINE_SIDE / Math.max(width, height));
  return finer > 1.15 * scale ? finer : undefined;
}

function networkSize({ width, height }: RgbRaster, scale: number): { width: number; height: number } {
  const rounded = (side: number) => Math.max(STRIDE, Math.round((side * scale) / STRIDE) * STRIDE);
  return { width: rounded(width), height: rounded(height) };
}
