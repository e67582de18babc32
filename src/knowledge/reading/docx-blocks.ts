import type { DocumentBlock } from '../document-block.ts';
import type { DocumentSource } from './document-source.ts';
import { DocxParts } from './docx-parts.ts';
import { DocxReader } from './docx-reader.ts';
import { DocxStyles } from './docx-styles.ts';
import { unreadableDocument } from './unreadable-document.ts';
import { readXml } from './xml-elements.ts';

/** The blocks of a Word document, with lists, tables, text boxes and notes, all changes accepted. */
export function docxBlocks(source: DocumentSource): readonly DocumentBlock[] {
  const refuse = (reason: string) => unreadableDocument(source.name, reason);
  const parts = new DocxParts(source);
  const styles = new DocxStyles(parts.read('word/styles.xml'), refuse);
  const notes = new Map<string, string>();
  for (const kind of ['footnote', 'endnote']) {
    const part = parts.read(`word/${kind}s.xml`);
    if (part) readNotes(part, { kind, styles, notes, refuse });
  }
  const body = parts.read('word/document.xml');
  if (!body) throw refuse('has no text part; save it again as DOCX');
  const reader = new DocxReader({ styles, notes });
  readXml(body, reader, refuse);
  return reader.blocks();
}

interface NotesReading {
  readonly kind: string;
  readonly styles: DocxStyles;
  readonly notes: Map<string, string>;
  readonly refuse: (reason: string) => Error;
}

function readNotes(part: Uint8Array, { kind, styles, notes, refuse }: NotesReading): void {
  let reader: DocxReader | undefined;
  let key = '';
  readXml(
    part,
    {
      open(name, attributes) {
        if (name !== kind) return reader?.open(name, attributes);
        key = `${kind} ${attributes.get('id')}`;
        // Notes with a type are separators.
        reader = attributes.has('type') ? undefined : new DocxReader({ styles, notes: new Map() });
      },
      close(name) {
        if (name !== kind) return reader?.close(name);
        if (reader) notes.set(key, textOf(reader.blocks()));
        reader = undefined;
      },
      text: (text) => reader?.text(text),
    },
    refuse,
  );
}

function textOf(blocks: readonly DocumentBlock[]): string {
  return blocks.map((block) => (block.type === 'table' ? block.rows.flat().join(' ') : block.text)).join(' ');
}
