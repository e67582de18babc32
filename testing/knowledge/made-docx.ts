import { madeZip } from '../models/made-archives.ts';

/** Parts of a Word document; `body` and the notes are the XML inside their root element. */
export interface DocxContent {
  readonly body: string;
  readonly styles?: string;
  readonly footnotes?: string;
}

const NAMESPACES =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ' +
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"';

/** A small Word document. */
export function madeDocx({ body, styles = '', footnotes = '' }: DocxContent): Buffer {
  const xml = (root: string, inside: string) =>
    Buffer.from(`<?xml version="1.0"?><w:${root} ${NAMESPACES}>${inside}</w:${root}>`);
  return madeZip({
    '[Content_Types].xml': Buffer.from('<Types/>'),
    'word/document.xml': xml('document', `<w:body>${body}</w:body>`),
    'word/styles.xml': xml('styles', styles),
    'word/footnotes.xml': xml('footnotes', footnotes),
  });
}

/** A paragraph, optionally with a style. */
export function docxParagraph(text: string, style?: string): string {
  const properties = style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`;
  return `<w:p>${properties}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

/** A table of plain cells. */
export function docxTable(rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[]) => row.map((cell) => `<w:tc>${docxParagraph(cell)}</w:tc>`).join('');
  return `<w:tbl>${rows.map((row) => `<w:tr>${cells(row)}</w:tr>`).join('')}</w:tbl>`;
}
