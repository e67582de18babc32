import { largest, median, type PlacedWord, smallest } from './placed-word.ts';

const MIN_SLOPED_WORDS = 4;
const TRUSTED_DEVIATION = 0.06;

/** Corrects skew and mild perspective by fitting the slope of lines as a linear function of the vertical position. */
export function levelWords(words: readonly PlacedWord[]): readonly PlacedWord[] {
  const sloped = words.flatMap((word) =>
    word.slope === undefined
      ? []
      : [{ y: (word.y0 + word.y1) / 2, slope: word.slope, weight: word.x1 - word.x0 }],
  );
  if (sloped.length < MIN_SLOPED_WORDS) return words;
  const slopeAt = fitSlope(sloped);
  const middleX = (smallest(words.map(({ x0 }) => x0)) + largest(words.map(({ x1 }) => x1))) / 2;
  return words.map((word) => {
    const drop = slopeAt((word.y0 + word.y1) / 2) * ((word.x0 + word.x1) / 2 - middleX);
    return { ...word, y0: word.y0 - drop, y1: word.y1 - drop };
  });
}

interface SlopeSample {
  readonly y: number;
  readonly slope: number;
  readonly weight: number;
}

function fitSlope(samples: readonly SlopeSample[]): (y: number) => number {
  const typical = weightedMedian(samples);
  const trusted = samples.filter(({ slope }) => Math.abs(slope - typical) < TRUSTED_DEVIATION);
  const total = sum(trusted, ({ weight }) => weight);
  const meanY = sum(trusted, ({ weight, y }) => weight * y) / total;
  const spread = sum(trusted, ({ weight, y }) => weight * (y - meanY) ** 2);
  const tilt =
    spread > 0
      ? sum(trusted, ({ weight, y, slope }) => weight * (y - meanY) * (slope - typical)) / spread
      : 0;
  return (y) => typical + tilt * (y - meanY);
}

// Long lines have a reliable slope; short words do not.
function weightedMedian(samples: readonly SlopeSample[]): number {
  const wide = median(samples.map(({ weight }) => weight));
  return median(samples.filter(({ weight }) => weight >= wide).map(({ slope }) => slope));
}

function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
