import type { DocumentBlock } from '../document-block.ts';
import { cleanText } from './clean-text.ts';
import { csvBlocks } from './csv-blocks.ts';
import { decodeText } from './decode-text.ts';
import { formatOf } from './document-format.ts';
import type { DocumentSource } from './document-source.ts';
import { docxBlocks } from './docx-blocks.ts';
import { htmlBlocks } from './html-blocks.ts';
import { markdownBlocks } from './markdown-blocks.ts';
import { textBlocks } from './text-blocks.ts';
import { unreadableDocument } from './unreadable-document.ts';

/** The blocks of a document in any format but PDF. Throws `document-unreadable`. */
export async function readBlocks(source: DocumentSource): Promise<readonly DocumentBlock[]> {
  const format = formatOf(source);
  switch (format) {
    case 'docx':
      return docxBlocks(source).map(cleanBlock);
    case 'html': {
      const refuse = (reason: string) => unreadableDocument(source.name, reason);
      return htmlBlocks(decodeText(source.bytes), refuse).map(cleanBlock);
    }
    case 'markdown':
      return markdownBlocks(cleanText(decodeText(source.bytes))).map(cleanBlock);
    case 'csv':
      return csvBlocks(cleanText(decodeText(source.bytes)));
    case 'text':
      return textBlocks(cleanText(decodeText(source.bytes)));
    case 'pdf':
      throw new TypeError('the pages of a PDF are read before its blocks');
  }
}

// Entities and escapes may produce characters that were not in the file.
function cleanBlock(block: DocumentBlock): DocumentBlock {
  if (block.type !== 'table') return { ...block, text: cleanText(block.text) };
  return { ...block, header: block.header.map(cleanText), rows: block.rows.map((row) => row.map(cleanText)) };
}
