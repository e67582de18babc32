import type { RgbRaster } from './decode-image.ts';
import type { LineBox } from './line-box.ts';

/** A line cut out of its page, upright: BGR planes from -1 to 1. */
export interface LineStrip {
  readonly data: Float32Array;
  readonly width: number;
  readonly height: number;
}

export interface StripSize {
  readonly height: number;
  /** Bounds the cost of a line across a banner. */
  readonly maxWidth: number;
  /** Fraction of the natural width; 1 by default. */
  readonly fraction?: number;
}

const MIN_WIDTH = 8;
const MAX_SAMPLES = 4;

/** Cuts a line out, scaled to a fixed height. */
export function straightenLine(
  raster: RgbRaster,
  box: LineBox,
  { height, maxWidth, fraction = 1 }: StripSize,
): LineStrip {
  const wanted = Math.round((box.length / box.height) * height * fraction);
  const width = Math.max(MIN_WIDTH, Math.min(maxWidth, wanted));
  const data = new Float32Array(3 * width * height);
  const columns = samplesFor(box.length / width);
  const rows = samplesFor(box.height / height);
  const weight = 1 / (127.5 * columns * rows);
  const plane = width * height;
  for (let y = 0, target = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, target += 1) {
      let [red, green, blue] = [0, 0, 0];
      for (let part = 0; part < columns * rows; part += 1) {
        const along = ((x + ((part % columns) + 0.5) / columns) / width - 0.5) * box.length;
        const across = ((y + (Math.floor(part / columns) + 0.5) / rows) / height - 0.5) * box.height;
        const spot = spotAt(
          raster,
          box.cx + along * box.ux - across * box.uy,
          box.cy + along * box.uy + across * box.ux,
        );
        red += between(raster.data, spot, 0);
        green += between(raster.data, spot, 1);
        blue += between(raster.data, spot, 2);
      }
      data[target] = blue * weight - 1;
      data[plane + target] = green * weight - 1;
      data[2 * plane + target] = red * weight - 1;
    }
  }
  return { data, width, height };
}

/** Scaling down by a large factor must average, or thin strokes vanish. */
function samplesFor(pixels: number): number {
  return Math.min(MAX_SAMPLES, Math.max(1, Math.round(pixels)));
}

/** A point between four pixels: their byte offsets, and the fractional distance from the first. */
interface Spot {
  readonly from: number;
  readonly right: number;
  readonly down: number;
  readonly fx: number;
  readonly fy: number;
}

function spotAt({ width, height }: RgbRaster, px: number, py: number): Spot {
  const x = Math.min(width - 1, Math.max(0, px - 0.5));
  const y = Math.min(height - 1, Math.max(0, py - 0.5));
  const left = Math.floor(x);
  const top = Math.floor(y);
  return {
    from: (top * width + left) * 3,
    right: left + 1 < width ? 3 : 0,
    down: top + 1 < height ? width * 3 : 0,
    fx: x - left,
    fy: y - top,
  };
}

/** Bilinear interpolation of one channel. */
function between(data: RgbRaster['data'], { from, right, down, fx, fy }: Spot, channel: 0 | 1 | 2): number {
  const at = from + channel;
  const above = (data[at] ?? 0) * (1 - fx) + (data[at + right] ?? 0) * fx;
  const below = (data[at + down] ?? 0) * (1 - fx) + (data[at + down + right] ?? 0) * fx;
  return above * (1 - fy) + below * fy;
}
