/** A canvas divided into square patches. */
export interface PatchGrid {
  readonly width: number;
  readonly height: number;
  readonly patch: number;
}

const CHANNELS = 3;

/** RGB pixels to patches, both row by row. */
export function toPatches(pixels: Float32Array, grid: PatchGrid): Float32Array {
  const patches = new Float32Array(pixels.length);
  const run = grid.patch * CHANNELS;
  let at = 0;
  for (const start of patchRows(grid)) {
    patches.set(pixels.subarray(start, start + run), at);
    at += run;
  }
  return patches;
}

/** Patches to RGB pixels, both row by row. */
export function fromPatches(patches: Float32Array, grid: PatchGrid): Float32Array {
  const pixels = new Float32Array(patches.length);
  const run = grid.patch * CHANNELS;
  let at = 0;
  for (const start of patchRows(grid)) {
    pixels.set(patches.subarray(at, at + run), start);
    at += run;
  }
  return pixels;
}

/** The pixel offset of each row of each patch. */
function* patchRows({ width, height, patch }: PatchGrid): Generator<number> {
  for (let top = 0; top < height; top += patch) {
    for (let left = 0; left < width; left += patch) {
      for (let row = 0; row < patch; row++) yield ((top + row) * width + left) * CHANNELS;
    }
  }
}

/** The centre of each patch: x and y in units of the shorter side, then as fractions of the canvas. */
export function patchCentres({ width, height, patch }: PatchGrid): Float32Array {
  const [columns, rows] = [width / patch, height / patch];
  const short = Math.min(columns, rows);
  const centres = new Float32Array(columns * rows * 4);
  let at = 0;
  for (let row = 0.5; row < rows; row++) {
    for (let column = 0.5; column < columns; column++) {
      centres.set([column / short, row / short, column / columns, row / rows], at);
      at += 4;
    }
  }
  return centres;
}
