import type { Lifecycle } from '../../supervision/lifecycle.ts';
import type { StackWork } from '../../supervision/stack-work.ts';

/** A word and its place: text runs right, lines go down, in any unit. */
export interface WordPlace {
  readonly text: string;
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** A field as the schema describes it. */
export interface AskedField {
  /** Dotted path. */
  readonly name: string;
  /** JSON type, or `date`. */
  readonly type: string;
  readonly description?: string | undefined;
  readonly choices?: readonly string[] | undefined;
}

/** A list; without columns its items are plain values. */
export interface AskedList {
  readonly name: string;
  readonly description?: string | undefined;
  readonly columns: readonly AskedField[];
}

/** Everything that is asked of a page. Fields are asked together, because they tell each other apart. */
export interface FieldQuestion {
  readonly fields: readonly AskedField[];
  readonly lists: readonly AskedList[];
}

/** A word of the page, or the part of it from `start` to before `end`. */
export interface SpanWord {
  /** In the order in which the words were given. */
  readonly word: number;
  readonly start: number;
  readonly end: number;
}

/** Words of a page that may be a value. */
export interface FoundSpan {
  readonly text: string;
  readonly words: readonly SpanWord[];
  /** From 0 to 1; calibrated for single fields. */
  readonly probability: number;
}

/** The answer for a single field. */
export interface FoundField {
  /** The probability that the page does not tell the value. */
  readonly none: number;
  /** Whether a span is likelier than none. */
  readonly isTold: boolean;
  /** The best first, all different. */
  readonly spans: readonly FoundSpan[];
}

/** A row of a list of objects: a span or nothing per column. */
export type FoundRow = readonly (FoundSpan | undefined)[];

/** The answers for a page, in the order of the question. */
export interface FoundOnPage {
  readonly fields: readonly FoundField[];
  /** Items of a plain list are rows of one cell. */
  readonly lists: readonly (readonly FoundRow[])[];
}

/** Points at the values of fields on a page; writes nothing. Throws `ChildLost` or `TooManyWaiting`. */
export interface FieldFinder {
  readonly lifecycle: Lifecycle;
  find(words: readonly WordPlace[], question: FieldQuestion, work: StackWork): Promise<FoundOnPage>;
}
