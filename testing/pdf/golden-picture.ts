import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import type { RasterPage } from './pdf-reader.ts';

/** Resolution of the stored pictures. */
export const GOLDEN_DPI = 36;

// Glyph edges may differ slightly; a missing or moved word changes whole blocks.
const BLOCK_PIXELS = 6;
const MAX_BLOCK_DIFFERENCE = 40;
const MAX_MEAN_DIFFERENCE = 1.5;

/** The difference between a page and its stored picture; `undefined` if there is none. */
export async function goldenDifference(name: string, page: RasterPage): Promise<string | undefined> {
  const kept = fileURLToPath(new URL(`./goldens/${name}.png`, import.meta.url));
  if (!existsSync(kept)) return 'no picture of it is kept';
  return await compare(await greyOf(page), page, kept);
}

/** The same; a page that differs is also written to a file, for review. */
export async function checkGolden(name: string, page: RasterPage): Promise<string | undefined> {
  const difference = await goldenDifference(name, page);
  if (difference === undefined) return undefined;
  const folder = fileURLToPath(new URL('../../.cache/pdf-goldens/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const { width, height } = page;
  const png = sharp(await greyOf(page), { raw: { width, height, channels: 1 } }).png({ compressionLevel: 9 });
  writeFileSync(`${folder}${name}.png`, await png.toBuffer());
  return `${name}: ${difference}; look at ${folder}${name}.png`;
}

async function greyOf({ width, height, pixels }: RasterPage): Promise<Buffer> {
  return await sharp(pixels, { raw: { width, height, channels: 4 } })
    .flatten()
    .greyscale()
    .raw()
    .toBuffer();
}

async function compare(
  grey: Buffer,
  { width, height }: { readonly width: number; readonly height: number },
  keptPath: string,
): Promise<string | undefined> {
  const kept = await sharp(keptPath).greyscale().raw().toBuffer({ resolveWithObject: true });
  if (kept.info.width !== width || kept.info.height !== height) return `it is ${width} × ${height}`;
  let sum = 0;
  let worst = 0;
  for (let y = 0; y < height; y += BLOCK_PIXELS) {
    for (let x = 0; x < width; x += BLOCK_PIXELS) {
      const block = { x, y, width, height };
      const difference = Math.abs(meanOf(grey, block) - meanOf(kept.data, block));
      worst = Math.max(worst, difference);
      sum += difference;
    }
  }
  const mean = sum / (Math.ceil(width / BLOCK_PIXELS) * Math.ceil(height / BLOCK_PIXELS));
  if (worst <= MAX_BLOCK_DIFFERENCE && mean <= MAX_MEAN_DIFFERENCE) return undefined;
  return `blocks differ by ${worst.toFixed(1)} at most and by ${mean.toFixed(2)} on average`;
}

/** The mean brightness of a block of pixels. */
function meanOf(grey: Buffer, block: { x: number; y: number; width: number; height: number }): number {
  let sum = 0;
  let count = 0;
  for (let y = block.y; y < Math.min(block.height, block.y + BLOCK_PIXELS); y++) {
    for (let x = block.x; x < Math.min(block.width, block.x + BLOCK_PIXELS); x++) {
      sum += grey[y * block.width + x] ?? 0;
      count += 1;
    }
  }
  return sum / count;
}
