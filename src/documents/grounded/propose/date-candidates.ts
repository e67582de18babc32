import type { FoundValue } from '../../values/found-value.ts';
import type { Field } from '../plan/schema-plan.ts';
import { type Evidence, positionAt } from '../read/evidence.ts';
import { similarity } from '../words/label-words.ts';
import { type Candidate, isAbout, LABEL_WEIGHT, labelScore } from './candidate.ts';
import { wordsAfter } from './words-after.ts';

const RANGE = /^\s*(?:-|–|—|to|bis|until|a|al|à|au|hasta|until)\s+$|^\s*[-–—]\s*$/i;
const RANGE_WEIGHT = 1.5;
const FIRST_WEIGHT = 0.6;
/** Behind a day stands what was done then: `on 31 January received by us`. */
const AFTER_WEIGHT = 0.7;
/** The date behind a place is the date of the document, which the network does not know. */
const DATELINE_WEIGHT = 4;
const PLAIN: ReadonlySet<string> = new Set(['=date', '=issue', '=letter', '=document', 'writt', 'sent']);

/** Dates that may fill a field. */
export function dateCandidates(field: Field, evidence: Evidence): readonly Candidate[] {
  const { dates, source } = evidence;
  return dates.flatMap((date, index) => {
    const position = positionAt(evidence, date.start);
    if (position === undefined) return [];
    const after = AFTER_WEIGHT * similarity(wordsAfter(source.text, date.end), field.words);
    const label = Math.max(labelScore(field, position), after);
    const range = rangeScore(field, evidence, index);
    const first =
      index === 0 && isAbout(field, 'issue', 'date') && !isAbout(field, 'due', 'birth', 'deadline', 'end')
        ? FIRST_WEIGHT
        : 0;
    const own = position.isDateline && isPlainDate(field) ? DATELINE_WEIGHT : 0;
    const score = LABEL_WEIGHT * label + range + first + own;
    const { start, end } = date;
    const value = field.kind === 'date-time' ? withTime(date, source.text) : date.value;
    return [
      {
        value,
        text: source.text.slice(start, end),
        start,
        end,
        label: Math.max(label, range > 0 ? 0.5 : 0),
        score,
      },
    ];
  });
}

/** Whether a field is the date of the document itself. */
function isPlainDate({ words }: Field): boolean {
  return words.ownTokens.every((token) => token.split('|').some((concept) => PLAIN.has(concept)));
}

/** In a range, the first date is the start and the second the end. */
function rangeScore(field: Field, { dates, source }: Evidence, index: number): number {
  const joined = (one: FoundValue<string> | undefined, other: FoundValue<string> | undefined) =>
    one !== undefined && other !== undefined && RANGE.test(source.text.slice(one.end, other.start));
  if (isAbout(field, 'start') && joined(dates[index], dates[index + 1])) return RANGE_WEIGHT;
  if (isAbout(field, 'end') && joined(dates[index - 1], dates[index])) return RANGE_WEIGHT;
  return 0;
}

function withTime({ value, end }: FoundValue<string>, text: string): string {
  const [, hours, minutes, seconds = '00'] =
    /^[,\sT]*(\d{1,2}):(\d{2})(?::(\d{2}))?/.exec(text.slice(end, end + 12)) ?? [];
  return hours === undefined
    ? `${value}T00:00:00Z`
    : `${value}T${hours.padStart(2, '0')}:${minutes}:${seconds}Z`;
}
