import type { PageBox } from '../reading/page-text.ts';

/** Where a value stands in the documents. */
export interface Citation {
  /** Which of the files, from 1, in the order in which they were sent. */
  readonly file: number;
  /** Its name as it was sent. */
  readonly file_name: string;
  /** Which page of it, from 1. */
  readonly page: number;
  /** As it is written there. */
  readonly quote: string;
  readonly box: PageBox;
}

/** A value that was not found: null, a boolean, or something that the model wrote in its own words. */
export interface Ungrounded {
  readonly grounded: false;
}

/** Where the values of data stand: the same objects and lists, with a citation in place of every leaf. */
export type CitationTree =
  | Citation
  | Ungrounded
  | readonly CitationTree[]
  | { readonly [name: string]: CitationTree };
