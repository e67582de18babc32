import { largest, smallest } from '../layout/placed-word.ts';
import type { RgbRaster } from './decode-image.ts';

export interface PixelArea {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Ink is searched in means over squares of this side, which reduces noise. */
const CELL = 4;
const SHADES = 256;
/**
 * Minimum difference from the paper, of 255. A single grey hair counts, and so does shadowed paper, which is then processed
 * whole.
 */
const MIN_DIFFERENCE = 6;
/** Margin kept around ink: the network needs context. */
const ROOM_CELLS = 12;

/**
 * The parts of a picture with content, top to bottom, with sides that are multiples of `stride`. Empty paper is not worth a
 * network's time.
 */
export function inkAreas(raster: RgbRaster, stride: number): readonly PixelArea[] {
  const cells = cellMeans(raster);
  const paper = commonest(cells.means);
  const rows = inkedRows(cells, paper);
  return bandsOf(rows, cells.height).map((band) => {
    const inked = rows.slice(band.from, band.to).flatMap((row) => row ?? []);
    const x0 = Math.max(0, smallest(inked.map(({ first }) => first)) - ROOM_CELLS);
    const x1 = largest(inked.map(({ last }) => last)) + 1 + ROOM_CELLS;
    const [left, width] = fitted(x0 * CELL, x1 * CELL, { side: raster.width, stride });
    const [top, height] = fitted(band.from * CELL, band.to * CELL, { side: raster.height, stride });
    return { left, top, width, height };
  });
}

interface Cells {
  readonly means: Uint8Array;
  readonly width: number;
  readonly height: number;
}

function cellMeans({ data, width, height }: RgbRaster): Cells {
  const cells = { width: Math.ceil(width / CELL), height: Math.ceil(height / CELL) };
  const means = new Uint8Array(cells.width * cells.height);
  for (let row = 0, cell = 0; row < cells.height; row += 1) {
    for (let column = 0; column < cells.width; column += 1, cell += 1) {
      let [sum, count] = [0, 0];
      for (let y = row * CELL; y < Math.min(height, (row + 1) * CELL); y += 1) {
        const end = (y * width + Math.min(width, (column + 1) * CELL)) * 3;
        for (let at = (y * width + column * CELL) * 3; at < end; at += 1) sum += data[at] ?? 0;
        count += Math.min(width, (column + 1) * CELL) - column * CELL;
      }
      means[cell] = sum / (3 * count);
    }
  }
  return { means, ...cells };
}

function commonest(shades: Uint8Array): number {
  const counts = new Uint32Array(SHADES);
  for (const shade of shades) counts[shade] = (counts[shade] ?? 0) + 1;
  return counts.indexOf(counts.reduce((most, count) => Math.max(most, count), 0));
}

interface InkedRow {
  readonly first: number;
  readonly last: number;
}

/** The inked range of each row of cells; undefined for empty rows. */
function inkedRows({ means, width, height }: Cells, paper: number): readonly (InkedRow | undefined)[] {
  return Array.from({ length: height }, (_, row) => {
    const isInk = (shade: number) => Math.abs(shade - paper) >= MIN_DIFFERENCE;
    const cells = means.subarray(row * width, (row + 1) * width);
    const first = cells.findIndex(isInk);
    return first < 0 ? undefined : { first, last: cells.findLastIndex(isInk) };
  });
}

interface Band {
  readonly from: number;
  readonly to: number;
}

/** Runs of inked rows with a margin; those that touch are merged. */
function bandsOf(rows: readonly (InkedRow | undefined)[], height: number): readonly Band[] {
  const bands: Band[] = [];
  for (const [row, ink] of rows.entries()) {
    if (ink === undefined) continue;
    const last = bands.at(-1);
    const to = Math.min(height, row + 1 + ROOM_CELLS);
    if (last !== undefined && row - ROOM_CELLS <= last.to) bands[bands.length - 1] = { from: last.from, to };
    else bands.push({ from: Math.max(0, row - ROOM_CELLS), to });
  }
  return bands;
}

/** Aligns a range to a multiple of the stride within the picture. */
function fitted(
  from: number,
  to: number,
  { side, stride }: { readonly side: number; readonly stride: number },
): readonly [start: number, length: number] {
  const length = Math.min(side, Math.ceil((to - from) / stride) * stride);
  return [Math.max(0, Math.min(from, side - length)), length];
}
