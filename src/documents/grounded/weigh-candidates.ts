import type { DocumentContext } from '../values/document-context.ts';
import { overlaps } from '../values/found-value.ts';
import { normalise } from '../values/normalise.ts';
import { type Candidate, isAbout, LABEL_WEIGHT, labelScore } from './candidate.ts';
import { checksumScore } from './checksums.ts';
import type { FieldCandidates } from './choose-values.ts';
import { type Evidence, positionAt } from './evidence.ts';
import type { ProposedField, ProposedSpan } from './network-answers.ts';
import type { Field } from './schema-plan.ts';
import { shapeOf } from './value-shape.ts';

/** How much the logarithm of the network's probability counts beside the rules' scores. Tuned on the development sets. */
const NETWORK_WEIGHT = 1.2;
/** A probability below this says no more than that the network did not choose the value. */
const LEAST_PROBABILITY = 0.005;
/** What a span of the network has that rules would find by its place in the line. */
const SPAN_SCORE = 1.6;
const SHAPE_WEIGHT = 1.5;

/** Joins the rules' candidates of a field with the network's spans: each is weighed by both. */
export function weighCandidates(
  { field, candidates }: FieldCandidates,
  proposed: ProposedField | undefined,
  evidence: readonly Evidence[],
): FieldCandidates {
  const checked = candidates.map((candidate) => ({
    ...candidate,
    score: candidate.score + checksumScore(field, candidate.text),
  }));
  if (proposed === undefined) return { field, candidates: sorted(checked) };
  const spans = proposed.spans.flatMap((span) => spanCandidate(field, span, evidence));
  const known = checked.map((candidate) => ({ ...candidate, ...supportOf(candidate, spans) }));
  const added = spans.filter((span) => !checked.some((candidate) => isSame(candidate, span)));
  const all = [...known, ...added].map((candidate) => ({
    ...candidate,
    score: candidate.score + networkScore(candidate),
  }));
  return { field, candidates: sorted(all), proposed };
}

function networkScore({ probability = 0 }: Candidate): number {
  return NETWORK_WEIGHT * (Math.log(Math.max(LEAST_PROBABILITY, probability)) - Math.log(LEAST_PROBABILITY));
}

/** The network's support of a rule's candidate, and its words. */
function supportOf(candidate: Candidate, spans: readonly Candidate[]): Partial<Candidate> {
  const same = spans.find((span) => isSame(candidate, span));
  if (same === undefined) return { probability: 0 };
  return { probability: same.probability ?? 0 };
}

/** The same value at the same place, or for values that are no text anywhere: 12.50 is 12.50. */
function isSame(one: Candidate, other: Candidate): boolean {
  if (one.value !== other.value) return false;
  return typeof one.value === 'string' ? true : overlaps(one, other);
}

/** A span of the network as a candidate: read as the field asks, and scored as rules would. */
function spanCandidate(
  field: Field,
  span: ProposedSpan,
  evidence: readonly Evidence[],
): readonly Candidate[] {
  const read = evidence.find(({ file }) => file === span.file);
  const value = read === undefined ? undefined : spanValue(field, span, read.context);
  if (read === undefined || value === undefined) return [];
  const position = positionAt(read, span.start - span.file.start);
  const label = position === undefined ? 0 : labelScore(field, position);
  const shape = field.kind === 'text' ? SHAPE_WEIGHT * shapeOf(field)(span.text) : 0;
  const score = LABEL_WEIGHT * label + shape + SPAN_SCORE + checksumScore(field, span.text);
  const { text, start, end, ranges, probability } = span;
  return [{ value, text, start, end, ranges, label, score, probability }];
}

/** Reads a span as the field asks; undefined if it is no such value. */
export function spanValue(
  field: Field,
  { text }: Pick<ProposedSpan, 'text'>,
  context: DocumentContext,
): unknown {
  const { kind, choices } = field;
  return normalise(text, { kind, choices, isCurrency: isAbout(field, 'currency') }, context);
}

function sorted(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.toSorted((one, other) => other.score - one.score);
}
