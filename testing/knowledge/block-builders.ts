import type { DocumentBlock } from '../../src/knowledge/document-block.ts';
import { readBlocks } from '../../src/knowledge/reading/read-blocks.ts';

export const heading = (level: number, text: string): DocumentBlock => ({ type: 'heading', level, text });
export const paragraph = (text: string): DocumentBlock => ({ type: 'paragraph', text });
export const table = (header: readonly string[], ...rows: readonly (readonly string[])[]): DocumentBlock => ({
  type: 'table',
  header,
  rows,
});

/** The blocks of a file with that name and content. */
export function blocksIn(name: string, content: string | Uint8Array): Promise<readonly DocumentBlock[]> {
  return readBlocks({ name, bytes: typeof content === 'string' ? Buffer.from(content) : content });
}
