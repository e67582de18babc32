import type { FoundField, FoundSpan } from './field-finder.ts';
import { type FieldScores, softmax } from './field-scores.ts';
import type { PageStretch } from './page-stretch.ts';

/** Starts and ends that are paired. */
const BEST_EDGES = 10;
/** Other places looked at for the same text. */
const SAME_PLACES = 6;
/** Pieces of a value. */
const LONGEST = 150;
const INSIDE_BLOCK = 0.4;
/** Spans told besides the best, and the least probability of one. */
const MOST_SPANS = 5;
const LEAST_PROBABILITY = 0.01;

interface Edges {
  readonly from: number;
  readonly to: number;
}

const NOTHING: Edges = { from: 0, to: 0 };

/** The likeliest pieces. */
interface BestEdges {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

interface Probabilities {
  readonly start: Float64Array;
  readonly end: Float64Array;
}

/** The spans that may be a field's value. The probability is that of the text, wherever it stands. */
export function decodeField(scores: FieldScores, stretch: PageStretch, temperature: number): FoundField {
  const hard = { start: softmax(scores.start), end: softmax(scores.end) };
  const soft = { start: softmax(scores.start, temperature), end: softmax(scores.end, temperature) };
  const edges = { starts: best(hard.start, BEST_EDGES), ends: best(hard.end, BEST_EDGES) };
  const [first, ...others] = likelyPairs(edges, hard, scores.begins);
  const isTold = first !== undefined && massOf(hard, first) > massOf(hard, NOTHING);
  const spans: FoundSpan[] = [];
  for (const pair of first === undefined
    ? []
    : [first, ...others.filter((one) => massOf(soft, one) >= LEAST_PROBABILITY)]) {
    if (spans.length === MOST_SPANS) break;
    const span = spanOf(pair, { scores, stretch, soft, edges });
    if (!spans.some(({ text }) => plain(text) === plain(span.text))) spans.push(span);
  }
  return { none: massOf(soft, NOTHING), isTold, spans };
}

function massOf({ start, end }: Probabilities, { from, to }: Edges): number {
  return (start[from] ?? 0) * (end[to] ?? 0);
}

/** Pairs of the best starts and ends, likeliest first. Where a value begins again inside a pair, it stands twice on the page. */
function likelyPairs(
  { starts, ends }: BestEdges,
  hard: Probabilities,
  begins: Float32Array,
): readonly Edges[] {
  const pairs: (Edges & { readonly weight: number })[] = [];
  for (const from of starts) {
    for (const to of ends) {
      if (to < from || to > from + LONGEST) continue;
      const again = begins.subarray(from + 1, to + 1).reduce((one, other) => Math.max(one, other), 0);
      pairs.push({ from, to, weight: massOf(hard, { from, to }) * (1 - again) });
    }
  }
  return pairs.sort((one, other) => other.weight - one.weight);
}

interface Spelling {
  readonly scores: FieldScores;
  readonly stretch: PageStretch;
  readonly soft: Probabilities;
  readonly edges: BestEdges;
}

function spanOf(pair: Edges, { scores, stretch, soft, edges }: Spelling): FoundSpan {
  const { from, to } = pair;
  const isBlock = stretch.rowOf(from) !== stretch.rowOf(to);
  // Other things stand beside a block of several rows.
  const isPart = (piece: number) =>
    piece === from || piece === to || (scores.inside[piece] ?? 0) > INSIDE_BLOCK;
  const span = stretch.spanOf(range(from, to).filter((piece) => !isBlock || isPart(piece)));
  let [first, last] = [soft.start[from] ?? 0, soft.end[to] ?? 0];
  for (const other of samePlaces(pair, { text: span.text, stretch, edges })) {
    first += soft.start[other.from] ?? 0;
    last += soft.end[other.to] ?? 0;
  }
  return { ...span, probability: Math.min(1, first) * Math.min(1, last) };
}

/** Other places with the same letters and digits. */
function samePlaces(
  { from, to }: Edges,
  { text, stretch, edges }: Pick<Spelling, 'stretch' | 'edges'> & { readonly text: string },
): readonly Edges[] {
  const starts = edges.starts.slice(0, SAME_PLACES).filter((start) => start !== from);
  const ends = edges.ends.slice(0, SAME_PLACES).filter((end) => end !== to);
  return starts.flatMap((start) =>
    ends
      .filter((end) => end >= start && end - start <= LONGEST && Math.abs(end - start - (to - from)) <= 2)
      .filter((end) => plain(stretch.spanOf(range(start, end)).text) === plain(text))
      .map((end) => ({ from: start, to: end })),
  );
}

/** The likeliest pieces without the mark for "nothing", the first of equal ones first. */
function best(probabilities: Float64Array, most: number): readonly number[] {
  const found: number[] = [];
  const of = (piece: number | undefined) => (piece === undefined ? -1 : (probabilities[piece] ?? 0));
  for (let piece = 1; piece < probabilities.length; piece++) {
    if (found.length === most && of(piece) <= of(found.at(-1))) continue;
    const place = found.findIndex((other) => of(other) < of(piece));
    found.splice(place < 0 ? found.length : place, 0, piece);
    if (found.length > most) found.pop();
  }
  return found;
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]/g, '');
}
