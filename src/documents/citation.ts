import type { PageBox } from '../reading/page-text.ts';

/** The position of a value in the documents. */
export interface Citation {
  /** File number, from 1, in upload order. */
  readonly file: number;
  /** The file name as sent. */
  readonly file_name: string;
  /** Page number, from 1. */
  readonly page: number;
  /** As written in the document. */
  readonly quote: string;
  readonly box: PageBox;
}

/** No citation: the value is null, a boolean, or was phrased by the model. */
export interface Ungrounded {
  readonly grounded: false;
}

/** Mirrors the extracted data, with a citation for every leaf. */
export type CitationTree =
  | Citation
  | Ungrounded
  | readonly CitationTree[]
  | { readonly [name: string]: CitationTree };
