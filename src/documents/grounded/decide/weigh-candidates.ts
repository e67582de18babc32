import { overlaps } from '../../values/found-value.ts';
import type { Field } from '../plan/schema-plan.ts';
import {
  type Candidate,
  type FieldCandidates,
  isAbout,
  LABEL_WEIGHT,
  labelScore,
} from '../propose/candidate.ts';
import { spanValue } from '../propose/cell-value.ts';
import type { ProposedField, ProposedSpan, SourceRange } from '../propose/network-answers.ts';
import { textLooks } from '../propose/text-looks.ts';
import { shapeOf } from '../propose/value-shape.ts';
import { type Evidence, positionAt } from '../read/evidence.ts';
import { isAllLabel } from '../read/find-spans.ts';
import { labelTokens, similarity } from '../words/label-words.ts';
import { bareSpan } from './bare-span.ts';
import { checksumScore } from './checksums.ts';

/**
 * How much the network's probability counts beside the rules' scores: by its root, since it is right more often than low
 * probabilities say. An exact label brings 3. Tuned on the development sets.
 */
const NETWORK_WEIGHT = 7;
/** The features of a span of the network that rules derive from its position in the line. */
const SPAN_SCORE = 1.6;
const SIDE_SHARE = 0.9;
/** Of what stands alone the network often means more than the beginning at which it points. */
const WHOLE_SHARE = 0.9;
/** A label is not a part of a value. */
const LABEL_COST = 3;
/** Neither are words from the midst of two lines. */
const RAGGED_COST = 3;
const LEAST_UNTOLD = 0.05;

/** Joins the rules' candidates of a field with the network's spans: each is weighed by both. */
export function weighCandidates(
  { candidates, ...entry }: FieldCandidates,
  proposed: ProposedField | undefined,
  evidence: readonly Evidence[],
): FieldCandidates {
  const { field } = entry;
  const checked = candidates.map((candidate) => ({
    ...candidate,
    score: candidate.score + checksumScore(field, candidate.text),
  }));
  if (proposed === undefined) return { ...entry, candidates: sorted(checked) };
  const spans = proposed.spans
    .flatMap((span) => [span, ...sidesOf(field, span, evidence)])
    .flatMap((span) => spanCandidate(field, span, evidence));
  const known = checked.map((candidate) => ({ ...candidate, ...supportOf(candidate, spans) }));
  const added = spans.filter((span) => !checked.some((candidate) => isSame(candidate, span)));
  const all = [...known, ...added].map((candidate) => ({
    ...candidate,
    score: candidate.score + networkScore(candidate, proposed),
  }));
  return { ...entry, candidates: sorted(all), proposed };
}

/** Where it rather says that there is nothing, what it would point at else counts for little. */
function networkScore({ probability = 0 }: Candidate, { isTold }: ProposedField): number {
  if (isTold) return NETWORK_WEIGHT * Math.sqrt(probability);
  return probability < LEAST_UNTOLD ? 0 : NETWORK_WEIGHT * probability;
}

/** The network's support of a rule's candidate. Where it points at a part of what a label names, it means the whole. */
function supportOf(candidate: Candidate, spans: readonly Candidate[]): Pick<Candidate, 'probability'> {
  const same = spans.find((span) => isSame(candidate, span))?.probability ?? 0;
  if (candidate.isWhole === true && candidate.fillsSlot !== true) {
    // A date or a number is whole without the time or the unit behind it.
    const beginning = spans.find(
      ({ start, end, text }) => candidate.start === start && end < candidate.end && !/\d/.test(text),
    );
    return { probability: Math.max(same, WHOLE_SHARE * (beginning?.probability ?? 0)) };
  }
  if (candidate.fillsSlot !== true) return { probability: same };
  const part = spans.find(({ start, end }) => candidate.start <= start && end <= candidate.end);
  return { probability: Math.max(same, part?.probability ?? 0) };
}

/** The same text anywhere; a number or an answer only at the same place, since others may have it too. */
function isSame(one: Candidate, other: Candidate): boolean {
  return one.value === other.value && (typeof one.value === 'string' || overlaps(one, other));
}

/** A span of the network as a candidate: read as the field asks, and scored as rules would. */
function spanCandidate(
  field: Field,
  proposed: ProposedSpan,
  evidence: readonly Evidence[],
): readonly Candidate[] {
  const read = evidence.find(({ file }) => file === proposed.file);
  const span = read === undefined ? proposed : bareSpan(field, proposed, read);
  const value = read === undefined ? undefined : spanValue(field, span.text, read.context);
  if (read === undefined || value === undefined || (isFigure(field) && isScattered(span, read))) return [];
  const position = positionAt(read, span.start - span.file.start);
  // The place of a birth is no address, wherever else its name stands.
  if (position?.isBirthplace === true && isAbout(field, 'city') && !isAbout(field, 'birth')) return [];
  const label = position === undefined ? 0 : labelScore(field, position);
  const looks = field.kind === 'text' ? textLooks(field, span.text, position) : 0;
  const holdsLabel = field.kind === 'text' && span.ranges.some((range) => isLabelAt(read, range, field));
  const score =
    (holdsLabel ? -LABEL_COST : 0) -
    (field.kind === 'text' && isRagged(span, read) ? RAGGED_COST : 0) +
    LABEL_WEIGHT * label +
    looks +
    SPAN_SCORE +
    checksumScore(field, span.text);
  const { text, start, end, ranges, probability } = span;
  return [{ value, text, start, end, ranges, label, score, probability }];
}

function isFigure({ kind }: Field): boolean {
  return kind !== 'text' && kind !== 'choice' && kind !== 'boolean';
}

/** Whether other things stand between the words of a span: together they are no number and no date. */
function isScattered({ ranges }: ProposedSpan, { source, file }: Evidence): boolean {
  return ranges.some(({ start }, order) => {
    const before = ranges[order - 1]?.end ?? start;
    return source.text.slice(before - file.start, start - file.start).trim() !== '';
  });
}

/** Whether words are left out of a text that are not a column beside it: it ends within a segment and goes on within another. */
function isRagged({ ranges }: ProposedSpan, read: Evidence): boolean {
  const { text } = read.source;
  return ranges.some((range, order) => {
    const next = ranges[order + 1];
    if (next === undefined) return false;
    const [end, start] = [range.end, next.start].map((offset) => offset - read.file.start);
    const between = text.slice(end, start);
    return (
      /\S/.test(between) && !(/^[,;.]?\s*(?:\n|\s{2})/.test(between) && /(?:\n|\s{2})\s*$/.test(between))
    );
  });
}

/** Whether a word stands in a cell that is a label, and another cell is beside it. */
function isLabelAt(read: Evidence, { start }: SourceRange, field: Field): boolean {
  const position = positionAt(read, start - read.file.start);
  if (position === undefined || !isAllLabel(position.segment.text)) return false;
  const { segments = [] } = read.source.lines[position.line] ?? {};
  return (
    segments.length > 1 &&
    segments.at(-1) !== position.segment &&
    similarity(labelTokens(position.segment.text), field.words) < 1
  );
}

/** A text that takes a label in, or goes over a wide gap in one line, may be two: a side that is a label's or looks better is tried too. */
function sidesOf(field: Field, span: ProposedSpan, evidence: readonly Evidence[]): readonly ProposedSpan[] {
  const read = evidence.find(({ file }) => file === span.file);
  if (field.kind !== 'text' || read === undefined) return [];
  const placed = span.ranges.map((range) => ({
    range,
    position: positionAt(read, range.start - span.file.start),
  }));
  const segments = Array.from(new Set(placed.map(({ position }) => position?.segment)));
  const lines = new Set(placed.map(({ position }) => position?.line));
  const hasLabel = span.ranges.some((range) => isLabelAt(read, range, field));
  if (segments.length < 2 || (lines.size > 1 && !hasLabel)) return [];
  const fits = shapeOf(field);
  return segments.flatMap((segment) => {
    const ranges = placed.flatMap(({ range, position }) => (position?.segment === segment ? [range] : []));
    const start = ranges[0]?.start ?? span.start;
    const end = ranges.at(-1)?.end ?? span.end;
    const text = read.source.text.slice(start - span.file.start, end - span.file.start);
    if (!hasLabel && fits(text) <= fits(span.text)) return [];
    return [{ ...span, text, start, end, ranges, probability: SIDE_SHARE * span.probability }];
  });
}

function sorted(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.toSorted((one, other) => other.score - one.score);
}
