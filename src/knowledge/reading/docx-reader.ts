import type { DocumentBlock } from '../document-block.ts';
import { inLines, inOneLine } from './clean-text.ts';
import { type DocxStyle, type DocxStyles, levelOf } from './docx-styles.ts';
import { DocxTable } from './docx-table.ts';
import type { XmlAttributes, XmlListener } from './xml-elements.ts';

/** Deleted or moved text, and duplicates for old readers. */
const UNREAD: ReadonlySet<string> = new Set(['del', 'moveFrom', 'Fallback', 'rt', 'instrText', 'delText']);

/** An open paragraph; text boxes nest them. */
interface OpenParagraph {
  text: string;
  style: DocxStyle;
  outlineLevel: number | undefined;
  isList: boolean;
  readonly notes: string[];
}

/** Builds blocks from the elements of a Word document. */
export class DocxReader implements XmlListener {
  readonly #styles: DocxStyles;
  readonly #notes: ReadonlyMap<string, string>;
  readonly #blocks: DocumentBlock[] = [];
  readonly #paragraphs: OpenParagraph[] = [];
  readonly #tables: DocxTable[] = [];
  #notesSeen = 0;
  #notesLeft: string[] = [];
  #unreadElements = 0;
  #hasTitle = false;
  #isText = false;
  #isHidden = false;
  #isInRun = false;

  constructor(parts: { styles: DocxStyles; notes: ReadonlyMap<string, string> }) {
    this.#styles = parts.styles;
    this.#notes = parts.notes;
  }

  /** If there is a title, headings are one level deeper. */
  blocks(): readonly DocumentBlock[] {
    if (!this.#hasTitle) return this.#blocks;
    return this.#blocks.map((block) =>
      block.type === 'heading' ? { ...block, level: block.level + 1 } : block,
    );
  }

  open(name: string, attributes: XmlAttributes): void {
    if (this.#unreadElements > 0 || UNREAD.has(name)) this.#unreadElements += 1;
    else this.#enter(name, attributes);
  }

  close(name: string): void {
    if (this.#unreadElements > 0) this.#unreadElements -= 1;
    else this.#leave(name);
  }

  text(part: string): void {
    if (this.#isText && this.#unreadElements === 0) this.#write(part);
  }

  #enter(name: string, attributes: XmlAttributes): void {
    const value = attributes.get('val');
    const paragraph = this.#paragraphs.at(-1);
    switch (name) {
      case 'p':
        this.#paragraphs.push(newParagraph(this.#styles.style(undefined)));
        break;
      case 'pStyle':
        if (paragraph) paragraph.style = this.#styles.style(value);
        break;
      case 'outlineLvl':
        if (paragraph) paragraph.outlineLevel = levelOf(value);
        break;
      case 'numPr':
        if (paragraph) paragraph.isList = true;
        break;
      case 'r':
        this.#isInRun = true;
        break;
      case 'vanish':
        this.#isHidden = this.#isInRun && value !== '0' && value !== 'false';
        break;
      case 't':
        this.#isText = true;
        break;
      case 'tbl':
        this.#tables.push(new DocxTable());
        break;
      case 'footnoteReference':
      case 'endnoteReference':
        this.#refer(`${name.slice(0, -'Reference'.length)} ${attributes.get('id')}`);
        break;
      default:
        this.#enterSmall(name, attributes);
    }
  }

  #enterSmall(name: string, attributes: XmlAttributes): void {
    if (name === 'tab' && this.#isInRun) this.#write(' ');
    else if (name === 'br' || name === 'cr') this.#write('\n');
    else if (name === 'noBreakHyphen') this.#write('-');
    else this.#tables.at(-1)?.enter(name, attributes.get('val'));
  }

  #leave(name: string): void {
    if (name === 't') this.#isText = false;
    else if (name === 'r') {
      this.#isInRun = false;
      this.#isHidden = false;
    } else if (name === 'p') this.#endParagraph();
    else if (name === 'tbl') this.#endTable();
    else this.#tables.at(-1)?.leave(name);
  }

  #write(text: string): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph && !this.#isHidden) paragraph.text += text;
  }

  #refer(key: string): void {
    const note = this.#notes.get(key);
    if (!note) return;
    this.#notesSeen += 1;
    this.#write(`[${this.#notesSeen}]`);
    this.#paragraphs.at(-1)?.notes.push(`[${this.#notesSeen}] ${note}`);
  }

  #endParagraph(): void {
    const paragraph = this.#paragraphs.pop();
    if (!paragraph) return;
    for (const note of paragraph.notes) this.#notesLeft.push(note);
    const text = inLines(paragraph.text);
    const table = this.#tables.at(-1);
    if (table) {
      table.addText(text);
      return;
    }
    if (text !== '') this.#blocks.push(this.#blockOf(paragraph, text));
    // Notes of a paragraph in a text box wait for the outer paragraph.
    if (this.#paragraphs.length === 0) this.#addNotes();
  }

  #blockOf({ style, outlineLevel, isList }: OpenParagraph, text: string): DocumentBlock {
    if (style.isTitle) {
      this.#hasTitle = true;
      return { type: 'heading', level: 0, text: inOneLine(text) };
    }
    const level = outlineLevel ?? style.outlineLevel ?? 9;
    if (level < 9) return { type: 'heading', level: level + 1, text: inOneLine(text) };
    return { type: 'paragraph', text: isList || style.isList ? `- ${text}` : text };
  }

  #endTable(): void {
    const table = this.#tables.pop();
    if (!table) return;
    const outer = this.#tables.at(-1);
    if (outer) {
      outer.addText(table.text());
      return;
    }
    for (const block of table.blocks()) this.#blocks.push(block);
    if (this.#paragraphs.length === 0) this.#addNotes();
  }

  #addNotes(): void {
    for (const text of this.#notesLeft) this.#blocks.push({ type: 'paragraph', text });
    this.#notesLeft = [];
  }
}

function newParagraph(style: DocxStyle): OpenParagraph {
  return { text: '', style, outlineLevel: undefined, isList: false, notes: [] };
}
