/** A character of a text layer, in the page's own coordinates: y goes up. */
export interface Glyph {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Quarter turns, against the clock, of the direction in which its text runs. */
  readonly turn: 0 | 1 | 2 | 3;
}

/** A text layer as it is read, glyph by glyph; undefined stands where a word ends. */
export interface TextLayer {
  readonly glyphs: readonly (Glyph | undefined)[];
  readonly characters: number;
  /** Characters of which nobody can say what they mean. */
  readonly unmapped: number;
  /** Characters that are not drawn, as scanners put them behind their picture. */
  readonly hidden: number;
}
