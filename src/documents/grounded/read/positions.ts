import { birthIn } from './births.ts';
import { type Captions, findCaptions } from './captions.ts';
import { findDatelines } from './datelines.ts';
import { headingSegments } from './headings.ts';
import {
  birthLabel,
  bracketLabel,
  captionLabel,
  datelineLabel,
  type LineRoles,
  type NearLabel,
  ownLabels,
  roleLabels,
  type SegmentPlace,
  surroundings,
} from './near-labels.ts';
import { type OwnName, ownNameAt } from './own-name.ts';
import { hasSalutation, LETTERHEAD, positionTokens } from './position-tokens.ts';
import type { Segment, SourceText } from './source-text.ts';

/** A position where a value may start: the beginning of a word. */
export interface Position {
  readonly start: number;
  readonly line: number;
  readonly segment: Segment;
  /** Offset in the segment. */
  readonly offset: number;
  /** To the left or above. */
  readonly labels: readonly NearLabel[];
  /** The weight of a label in brackets behind it. */
  readonly bracketWeight?: number | undefined;
  /** The heading of its block. */
  readonly heading: readonly string[];
  /** Whether it starts the segment or directly follows a label. */
  readonly opensSlot: boolean;
  /** Whether its segment is a title or heads a section or a column, so that it is hardly a value. */
  readonly isHeading: boolean;
  /** The name that begins there and says what it is. */
  readonly ownName: OwnName | undefined;
  /** Whether it is the date behind a place that opens the document. */
  readonly isDateline: boolean;
  /** Whether it is the place before such a date. */
  readonly isDatelinePlace: boolean;
  /** Whether it is the name of who writes, at the top of a letter. */
  readonly isLetterhead: boolean;
  /** Whether it is the place where a person was born. */
  readonly isBirthplace: boolean;
}

/** A text, and what its segments are by their places. */
interface PlacedText extends LineRoles {
  readonly source: SourceText;
  readonly datelines: ReturnType<typeof findDatelines>;
  readonly captions: Captions;
  /** Whether it greets its reader. */
  readonly isLetter: boolean;
}

const OPENING = /[:#(№°º]\s*$/;

/** Every position where a value may start, with nearby labels, by their offsets. */
export function findPositions(source: SourceText): readonly Position[] {
  const datelines = findDatelines(source);
  const captions = findCaptions(source);
  const placed = {
    source,
    datelines,
    roles: positionTokens(source, datelines),
    headings: new Set([...headingSegments(source), ...captions.captions]),
    captions,
    isLetter: hasSalutation(source),
  };
  return source.lines
    .flatMap(({ segments }, line) =>
      segments.flatMap((segment, order) => positionsIn(placed, { line, segment, order })),
    )
    .toSorted((one, other) => one.start - other.start);
}

/** The positions of a segment: its words. */
function positionsIn(placed: PlacedText, at: SegmentPlace): readonly Position[] {
  const { source, datelines, roles, headings, captions, isLetter } = placed;
  const { line, segment, order } = at;
  const { start = 0, segments = [] } = source.lines[line] ?? {};
  const around = surroundings(source, at, placed);
  const role = roles.get(segment);
  const dateline = datelines.get(segment);
  const birth = birthIn(segment, segments[order - 1]?.text ?? '');
  const isHeading = headings.has(segment);
  const caption = captions.captionOf.get(segment);
  return wordOffsets(segment.text).map((offset) => {
    const besides =
      ownLabels(segment, offset) ??
      (caption === undefined ? [...around.labels, ...roleLabels(role, isLetter)] : [captionLabel(caption)]);
    const bracket = bracketLabel(segment, offset);
    const special = [bracket, datelineLabel(dateline, offset), birthLabel(birth, offset)];
    return {
      start: start + segment.column + offset,
      line,
      segment,
      offset,
      labels: [...besides, ...special.filter((label) => label !== undefined)],
      bracketWeight: bracket?.weight,
      heading: around.heading,
      opensSlot: offset === 0 || OPENING.test(segment.text.slice(0, offset)),
      isHeading,
      ownName: isHeading ? undefined : ownNameAt(segment, offset),
      isDateline: dateline?.date === offset,
      isDatelinePlace: dateline !== undefined && dateline.date > 0 && offset === 0,
      isLetterhead: isLetter && role === LETTERHEAD,
      isBirthplace: birth?.place === offset,
    };
  });
}

function wordOffsets(text: string): readonly number[] {
  return Array.from(text.matchAll(/\S+/g), (match) => match.index + leadingMarks(match[0]));
}

function leadingMarks(word: string): number {
  return /^[("'[<*#$€£¥„“]*/.exec(word)?.[0].length ?? 0;
}
