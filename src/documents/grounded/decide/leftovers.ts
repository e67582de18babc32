import { type Candidate, type FieldCandidates, LEAST_SUPPORT } from '../propose/candidate.ts';
import { type Evidence, positionAt } from '../read/evidence.ts';
import { isAllLabel } from '../read/find-spans.ts';
import type { Position } from '../read/positions.ts';

/** Below this probability the network does not mean a text. */
const LEAST_PROBABILITY = 0.03;
/** Of a text that neither a label nor its looks speak for. */
const LEAST_SCORE = 2.2;
/** The middle of a sentence. */
const RUNNING = /^(?:\p{Ll}|[,;)])/u;

/** Takes texts away that are no values: headings, labels of something else, and pieces of sentences, where neither a label nor the network speaks for them. */
export function withoutLeftovers(
  fields: readonly FieldCandidates[],
  evidence: readonly Evidence[],
): readonly FieldCandidates[] {
  const known = new Map<string, boolean>();
  const isNoValue = (one: Candidate) => {
    const key = `${one.start} ${one.text}`;
    const told = known.get(key) ?? standsAsNoValue(one, evidence);
    known.set(key, told);
    return told;
  };
  return fields.map((entry) => {
    if (entry.field.kind !== 'text' || entry.proposed === undefined) return entry;
    const candidates = entry.candidates.filter((one) => isBacked(one) || !(isRunning(one) || isNoValue(one)));
    return { ...entry, candidates };
  });
}

function isBacked({ label, probability = 0 }: Candidate): boolean {
  return label >= LEAST_SUPPORT || probability >= LEAST_PROBABILITY;
}

function isRunning({ score, text }: Candidate): boolean {
  return score < LEAST_SCORE && RUNNING.test(text);
}

/** Whether a text is a heading or a label by its place and its words. */
function standsAsNoValue({ start, text }: Candidate, evidence: readonly Evidence[]): boolean {
  const read = evidence.findLast(({ file }) => file.start <= start);
  const position = read && positionAt(read, start - read.file.start);
  if (read === undefined || position === undefined) return false;
  return position.isHeading || isAllLabel(text) || headsLines(position, text, read);
}

/** Whether a text stands alone in its line, and the next one is moved to the right of it. */
function headsLines({ segment, line }: Position, text: string, { source }: Evidence): boolean {
  const { lines } = source;
  if (segment.text !== text || (lines[line]?.segments.length ?? 0) > 1 || /[.,]$/.test(text)) return false;
  const below = lines.find(({ segments }, at) => at > line && segments.length > 0);
  return (below?.segments[0]?.column ?? 0) > segment.column;
}
