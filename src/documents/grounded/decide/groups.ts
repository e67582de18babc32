import type { Field } from '../plan/schema-plan.ts';
import { type Candidate, type FieldCandidates, isAbout, LEAST_SUPPORT } from '../propose/candidate.ts';
import { periodIn } from '../propose/life-periods.ts';
import type { TextSlice } from '../propose/text-slice.ts';
import { type Evidence, positionAt } from '../read/evidence.ts';
import { type FieldGroup, groupsOf } from './field-groups.ts';
import { type GroupRegion, groupRegions } from './group-regions.ts';

/** A text below the heading of a group is rather a value of it. */
const INSIDE_SCORE = 2;
/** Below the heading of another group it is none. */
const FOREIGN_COST = 5;
/** Elsewhere, where the group has a heading of its own. */
const OUTSIDE_COST = 1;
/** A period below the heading of a group that asks for start and end. */
const PERIOD_SCORE = 7;

/** Weighs the candidates of fields that belong together by where they stand: below the heading of their group or of another. */
export function withGroups(
  fields: readonly FieldCandidates[],
  evidence: readonly Evidence[],
): readonly FieldCandidates[] {
  const groups = groupsOf(fields.map(({ field }) => field));
  if (groups.length === 0) return fields;
  const regions = evidence.map((read) => ({ read, regions: groupRegions(read.source.lines, groups) }));
  if (regions.every((one) => one.regions.length === 0)) return fields;
  return fields.map((entry) => {
    const own = groups.filter((group) => group.fields.has(entry.field));
    const isHeaded = regions.some((one) => one.regions.some(({ group }) => own.includes(group)));
    const periods = regions.flatMap((one) => periodsFor(entry.field, own, one));
    const candidates = [...entry.candidates, ...periods].map((candidate): Candidate => {
      const at = regions.flatMap((one) => regionsAt(candidate.start, one)).map(({ group }) => group);
      return { ...candidate, score: candidate.score + placeScore(at, own, isHeaded) };
    });
    return { ...entry, candidates: candidates.toSorted((one, other) => other.score - one.score) };
  });
}

function placeScore(at: readonly FieldGroup[], own: readonly FieldGroup[], isHeaded: boolean): number {
  if (at.some((group) => own.includes(group))) return INSIDE_SCORE;
  if (own.length === 0) return 0;
  return at.length > 0 ? -FOREIGN_COST : isHeaded ? -OUTSIDE_COST : 0;
}

interface ReadRegions {
  readonly read: Evidence;
  readonly regions: readonly GroupRegion[];
}

function regionsAt(start: number, { read, regions }: ReadRegions): readonly GroupRegion[] {
  if (start < read.file.start || start > read.file.start + read.source.text.length) return [];
  const position = positionAt(read, start - read.file.start);
  if (position === undefined) return [];
  const column = position.segment.column + position.offset;
  return regions.filter(
    ({ fromLine, endLine, fromColumn, endColumn }) =>
      fromLine <= position.line && position.line < endLine && fromColumn <= column && column < endColumn,
  );
}

/** Start or end of the first period below the heading of a group that has both. */
function periodsFor(
  field: Field,
  own: readonly FieldGroup[],
  { read, regions }: ReadRegions,
): readonly Candidate[] {
  const isStart = isAbout(field, 'start');
  if (field.kind !== 'text' || isStart === isAbout(field, 'end')) return [];
  const other = isStart ? 'end' : 'start';
  return regions
    .filter(({ group }) => own.includes(group) && Array.from(group.fields).some((one) => isAbout(one, other)))
    .flatMap(({ fromLine, endLine }) => {
      const lines = read.source.lines.slice(fromLine, endLine);
      const [period] = lines.flatMap((line, at) => periodIn(line, lines[at + 1]) ?? []);
      const slice = isStart ? period?.from : period?.to;
      return slice === undefined ? [] : [periodCandidate(slice, read.file.start)];
    });
}

function periodCandidate({ text, start, end }: TextSlice, from: number): Candidate {
  return {
    value: text,
    text,
    start: from + start,
    end: from + end,
    label: LEAST_SUPPORT,
    score: PERIOD_SCORE,
  };
}
