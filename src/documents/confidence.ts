/** Mirrors the extracted data: a probability from 0 to 1 for every leaf, null where none is known. */
export type ConfidenceTree =
  | number
  | null
  | readonly ConfidenceTree[]
  | { readonly [name: string]: ConfidenceTree };
