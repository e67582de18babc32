/** Words of a text, and where they stand. */
export interface TextSlice {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A part of a line. */
export interface LineSlice extends TextSlice {
  /** The number of the line, counted from where it was looked for. */
  readonly line: number;
}
