/** A piece of a document as its author structured it, in reading order. */
export type DocumentBlock = (HeadingBlock | ParagraphBlock | TableBlock) & {
  /** The page it starts on, from 1, if the document has pages. */
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
  /** Column names; empty if the table has none. */
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}
