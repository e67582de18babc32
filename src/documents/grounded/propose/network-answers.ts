import type {
  FieldFinder,
  FoundField,
  FoundOnPage,
  FoundSpan,
} from '../../../reading/fields/field-finder.ts';
import { ChildLost, TooManyWaiting } from '../../../supervision/child-lost.ts';
import type { SpanParent } from '../../../telemetry/request-trace.ts';
import type { PlannedQuestion } from '../plan/ask-fields.ts';
import type { Field, ListPlan } from '../plan/schema-plan.ts';
import type { SourcePage } from '../read/source-page.ts';
import type { SourceFile } from '../read/source-text.ts';

/** Offsets across all files. */
export interface SourceRange {
  readonly start: number;
  readonly end: number;
}

/** Words of a file that may be a value. */
export interface ProposedSpan extends SourceRange {
  readonly file: SourceFile;
  readonly text: string;
  /** The words one by one: in a block of several rows, other things stand between them. */
  readonly ranges: readonly SourceRange[];
  readonly probability: number;
}

/** The network's answer for a field. */
export interface ProposedField {
  /** The probability that the documents do not tell the value. */
  readonly none: number;
  readonly isTold: boolean;
  /** The best first. */
  readonly spans: readonly ProposedSpan[];
}

/** A row of a list: a span or nothing per column. */
export type ProposedRow = readonly (ProposedSpan | undefined)[];

/** A page of a file and the network's answers for it. */
export interface AnsweredPage {
  readonly file: SourceFile;
  readonly fields: ReadonlyMap<Field, ProposedField>;
  readonly lists: ReadonlyMap<ListPlan, readonly ProposedRow[]>;
}

/** The network, and for whom it is asked. */
export interface NetworkAsking {
  readonly finder: FieldFinder;
  readonly stackId: string;
  /** Absent: the extraction is not traced. */
  readonly span?: SpanParent | undefined;
  /** Aborts when the remaining time is needed for other work. */
  readonly leisure: AbortSignal;
}

/** Asks the network page by page. Pages that it has no time for, or all if it is away, are left to the rules. */
export async function askNetwork(
  planned: PlannedQuestion,
  files: readonly SourceFile[],
  { finder, stackId, span, leisure, signal }: NetworkAsking & { readonly signal: AbortSignal },
): Promise<readonly AnsweredPage[]> {
  const answered: AnsweredPage[] = [];
  const work = { stackId, signal: AbortSignal.any([signal, leisure]), span };
  try {
    for (const file of files) {
      for (const page of file.pages) {
        if (page.words.length === 0) continue;
        const found = await finder.find(page.places, planned.question, work);
        answered.push(answeredPage(planned, { file, page, found }));
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    const isAway = error instanceof ChildLost || error instanceof TooManyWaiting;
    if (!isAway && !leisure.aborted) throw error;
  }
  return answered;
}

/** The answers of several pages as one: the surest text counts, and a text more than none. */
export function joinedField(pages: readonly AnsweredPage[], field: Field): ProposedField | undefined {
  const answers = pages.flatMap(({ fields }) => fields.get(field) ?? []);
  if (answers.length === 0) return undefined;
  const told = answers.filter(({ isTold }) => isTold);
  const spans = (told.length > 0 ? told : answers).flatMap((answer) => answer.spans);
  return {
    none: Math.min(...answers.map(({ none }) => none)),
    isTold: told.length > 0,
    spans: spans.toSorted((one, other) => other.probability - one.probability),
  };
}

interface ReadPage {
  readonly file: SourceFile;
  readonly page: SourcePage;
  readonly found: FoundOnPage;
}

function answeredPage({ fields, lists }: PlannedQuestion, read: ReadPage): AnsweredPage {
  const { file, found } = read;
  return {
    file,
    fields: new Map(
      fields.flatMap((field, index) => pairOf(field, found.fields[index], (one) => proposedField(read, one))),
    ),
    lists: new Map(
      lists.flatMap((list, index) =>
        pairOf(list, found.lists[index], (rows) =>
          rows.map((row) => row.map((cell) => cell && proposedSpan(read, cell))),
        ),
      ),
    ),
  };
}

function pairOf<Key, Found, Value>(
  key: Key,
  found: Found | undefined,
  valueFrom: (found: Found) => Value,
): readonly (readonly [Key, Value])[] {
  return found === undefined ? [] : [[key, valueFrom(found)]];
}

function proposedField(read: ReadPage, { none, isTold, spans }: FoundField): ProposedField {
  return { none, isTold, spans: spans.map((span) => proposedSpan(read, span)) };
}

function proposedSpan({ file, page }: ReadPage, { text, words, probability }: FoundSpan): ProposedSpan {
  const ranges = words.flatMap(({ word, start, end }) => {
    const from = page.words[word]?.start;
    return from === undefined ? [] : [{ start: file.start + from + start, end: file.start + from + end }];
  });
  const start = Math.min(...ranges.map((range) => range.start));
  const end = Math.max(...ranges.map((range) => range.end));
  return { file, text, ranges, start, end, probability };
}
