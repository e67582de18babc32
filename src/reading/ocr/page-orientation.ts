import type { RgbRaster } from './decode-image.ts';
import { isLong, isVertical, type LineBox, reversed, runVertically } from './line-box.ts';
import type { LineClassifier } from './line-classifier.ts';
import type { LineRecogniser } from './line-recogniser.ts';

/** Decides a page's orientation. */
export interface OrientationJudges {
  readonly classifier: LineClassifier | undefined;
  readonly recogniser: LineRecogniser;
}

const JUDGED_LINES = 10;
const READ_LINES = 4;
const SAMPLE_LENGTH_IN_HEIGHTS = 12;
/** Outside this range the classifier's mean is decisive. */
const SURELY_UPRIGHT = 0.12;
const SURELY_REVERSED = 0.9;
/** Upside-down text still reads as something, but with less confidence. */
const BETTER_BY = 0.03;

/** The lines of a page in reading direction. */
export interface OrientedLines {
  readonly main: readonly LineBox[];
  /** Notes along the margin, perpendicular to the others; their direction is unknown. */
  readonly aside: readonly LineBox[];
}

/** Decides which of four ways a page is rotated before reading it: reading in the wrong direction is slow and useless. */
export async function orientLines(
  raster: RgbRaster,
  boxes: readonly LineBox[],
  judges: OrientationJudges,
): Promise<OrientedLines> {
  const runsVertically = runVertically(boxes);
  const main = boxes
    .filter((box) => isVertical(box) === runsVertically || !isLong(box))
    .map((box) => aligned(box, runsVertically));
  const aside = boxes.filter((box) => isVertical(box) !== runsVertically && isLong(box));
  return { main: (await areReversed(raster, main, judges)) ? main.map(reversed) : main, aside };
}

/** A square mark has no direction of its own, so it takes the page's. */
function aligned(box: LineBox, runsVertically: boolean): LineBox {
  if (isVertical(box) === runsVertically) return box;
  return {
    ...box,
    length: box.height,
    height: box.length,
    ux: runsVertically ? 0 : 1,
    uy: runsVertically ? -1 : 0,
  };
}

async function areReversed(
  raster: RgbRaster,
  boxes: readonly LineBox[],
  judges: OrientationJudges,
): Promise<boolean> {
  const longest = boxes.toSorted((a, b) => b.length / b.height - a.length / a.height).slice(0, JUDGED_LINES);
  if (longest.length === 0) return false;
  if (judges.classifier) {
    let total = 0;
    for (const box of longest) total += await judges.classifier.upsideDown(raster, box);
    const mean = total / longest.length;
    if (longest.length >= READ_LINES && mean < SURELY_UPRIGHT) return false;
    if (longest.length >= READ_LINES && mean > SURELY_REVERSED) return true;
  }
  const samples = longest.slice(0, READ_LINES).map(opening);
  const upright = await meanConfidence(raster, samples, judges.recogniser);
  return (await meanConfidence(raster, samples.map(reversed), judges.recogniser)) > upright + BETTER_BY;
}

async function meanConfidence(
  raster: RgbRaster,
  boxes: readonly LineBox[],
  recogniser: LineRecogniser,
): Promise<number> {
  let total = 0;
  for (const box of boxes) total += (await recogniser.recognise(raster, box)).confidence;
  return total / boxes.length;
}

function opening(box: LineBox): LineBox {
  const length = Math.min(box.length, SAMPLE_LENGTH_IN_HEIGHTS * box.height);
  const shift = (length - box.length) / 2;
  return { ...box, length, cx: box.cx + shift * box.ux, cy: box.cy + shift * box.uy };
}
