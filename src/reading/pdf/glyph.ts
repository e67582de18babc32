/** A character of a text layer, in page coordinates: y goes up. */
export interface Glyph {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Quarter turns, counter-clockwise, of its text direction. */
  readonly turn: 0 | 1 | 2 | 3;
}

/** A text layer, glyph by glyph; undefined ends a word. */
export interface TextLayer {
  readonly glyphs: readonly (Glyph | undefined)[];
  readonly characters: number;
  /** Characters without a Unicode mapping. */
  readonly unmapped: number;
  /** Invisible characters, as scanners put them behind the picture. */
  readonly hidden: number;
}
