import type { RgbRaster } from './decode-image.ts';
import type { LineBox } from './line-box.ts';

/** A line cut out of its page, upright and straight: planes of blue, green and red from -1 to 1. */
export interface LineStrip {
  readonly data: Float32Array;
  readonly width: number;
  readonly height: number;
}

const MAX_SAMPLES = 4;

/** Cuts a line out at a fixed height; `maxWidth` bounds what a line across a banner costs. */
export function straightenLine(
  raster: RgbRaster,
  box: LineBox,
  { height, maxWidth }: { height: number; maxWidth: number },
): LineStrip {
  const width = Math.max(8, Math.min(maxWidth, Math.round((box.length / box.height) * height)));
  const data = new Float32Array(3 * width * height);
  // Scaling down by much must average, or thin strokes fall between the samples.
  const samples = Math.min(MAX_SAMPLES, Math.max(1, Math.round(box.height / height)));
  const weight = 1 / (127.5 * samples * samples);
  const plane = width * height;
  const pixel = new Float32Array(3);
  for (let y = 0, target = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, target += 1) {
      pixel.fill(0);
      for (let part = 0; part < samples * samples; part += 1) {
        const along = ((x + ((part % samples) + 0.5) / samples) / width - 0.5) * box.length;
        const across = ((y + (Math.floor(part / samples) + 0.5) / samples) / height - 0.5) * box.height;
        addSample(
          raster,
          pixel,
          box.cx + along * box.ux - across * box.uy,
          box.cy + along * box.uy + across * box.ux,
        );
      }
      data[target] = (pixel[2] ?? 0) * weight - 1;
      data[plane + target] = (pixel[1] ?? 0) * weight - 1;
      data[2 * plane + target] = (pixel[0] ?? 0) * weight - 1;
    }
  }
  return { data, width, height };
}

/** Adds the colour between the four pixels around a point. */
function addSample({ data, width, height }: RgbRaster, into: Float32Array, px: number, py: number): void {
  const x = Math.min(width - 1, Math.max(0, px - 0.5));
  const y = Math.min(height - 1, Math.max(0, py - 0.5));
  const left = Math.floor(x);
  const top = Math.floor(y);
  const fx = x - left;
  const fy = y - top;
  const from = (top * width + left) * 3;
  const right = left + 1 < width ? 3 : 0;
  const down = top + 1 < height ? width * 3 : 0;
  for (let channel = 0; channel < 3; channel += 1) {
    const at = from + channel;
    const above = (data[at] ?? 0) * (1 - fx) + (data[at + right] ?? 0) * fx;
    const below = (data[at + down] ?? 0) * (1 - fx) + (data[at + down + right] ?? 0) * fx;
    into[channel] = (into[channel] ?? 0) + above * (1 - fy) + below * fy;
  }
}
