/** A piece of a document as its author structured it, in reading order. */
export type Block = (HeadingBlock | ParagraphBlock | TableBlock) & {
  /** The page it begins on, counted from 1, where the document has pages. */
  readonly page?: number | undefined;
};

export interface HeadingBlock {
  readonly type: 'heading';
  /** 1 is the outermost. */
  readonly level: number;
  readonly text: string;
}

/** A paragraph, a list item, or a piece of code. */
export interface ParagraphBlock {
  readonly type: 'paragraph';
  readonly text: string;
}

export interface TableBlock {
  readonly type: 'table';
  /** The names of the columns; empty where the table has none. */
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}
