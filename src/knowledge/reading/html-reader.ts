import type { DocumentBlock } from '../document-block.ts';
import { inLines, inOneLine, singleSpaced } from './clean-text.ts';
import { type Attributes, headingLevel, isBlockElement, isUnread } from './html-elements.ts';
import { HtmlTable } from './html-table.ts';

/** Opening an element costs the parser time proportional to the depth. */
const MAX_OPEN_ELEMENTS = 5_000;

/** Builds blocks from the elements of an HTML document. */
export class HtmlReader {
  readonly #refuse: (reason: string) => Error;
  readonly #blocks: DocumentBlock[] = [];
  #text = '';
  #title = '';
  #openElements = 0;
  /** Depth inside the outermost skipped element, itself included. */
  #unreadElements = 0;
  #titleElements = 0;
  #preElements = 0;
  /** The next number of each open list; undefined for unordered lists. */
  readonly #lists: (number | undefined)[] = [];
  #marker = '';
  readonly #tables: (HtmlTable | undefined)[] = [];

  constructor(refuse: (reason: string) => Error) {
    this.#refuse = refuse;
  }

  /** The document's title comes first if there is no first-level heading. */
  blocks(): readonly DocumentBlock[] {
    this.#endBlock();
    const title = inOneLine(this.#title);
    const hasTop = this.#blocks.some((block) => block.type === 'heading' && block.level === 1);
    return title === '' || hasTop
      ? this.#blocks
      : [{ type: 'heading', level: 1, text: title }, ...this.#blocks];
  }

  text(part: string): void {
    if (this.#titleElements > 0) this.#title += part;
    else if (this.#unreadElements === 0) this.#text += this.#preElements > 0 ? part : singleSpaced(part);
  }

  open(name: string, attributes: Attributes): void {
    this.#openElements += 1;
    if (this.#openElements > MAX_OPEN_ELEMENTS) {
      throw this.#refuse(`nests more than ${MAX_OPEN_ELEMENTS} elements into each other; close its elements`);
    }
    if (name === 'title' && this.#unreadElements === 0) this.#titleElements += 1;
    if (this.#unreadElements > 0 || isUnread(name, attributes)) {
      this.#unreadElements += 1;
      return;
    }
    if (isBlockElement(name)) this.#endBlock();
    this.#enter(name, attributes);
  }

  close(name: string): void {
    this.#openElements -= 1;
    if (name === 'title' && this.#titleElements > 0) this.#titleElements -= 1;
    if (this.#unreadElements > 0) {
      this.#unreadElements -= 1;
      return;
    }
    const level = headingLevel(name);
    if (level !== undefined) this.#endHeading(level);
    else if (isBlockElement(name)) this.#endBlock();
    this.#leave(name);
  }

  #enter(name: string, attributes: Attributes): void {
    if (name === 'br') this.#text += '\n';
    else if (name === 'img' && attributes.alt) this.#text += ` ${attributes.alt} `;
    else if (name === 'pre') this.#preElements += 1;
    else if (name === 'ol') this.#lists.push(Math.trunc(Number(attributes.start ?? 1)) || 1);
    else if (name === 'ul') this.#lists.push(undefined);
    else if (name === 'li') this.#marker = this.#nextMarker();
    else if (name === 'table') this.#openTable();
    else this.#tables.at(-1)?.enter(name, attributes);
  }

  #leave(name: string): void {
    if (name === 'pre') this.#preElements -= 1;
    else if (name === 'ol' || name === 'ul') this.#lists.pop();
    else if (name === 'li') this.#marker = '';
    else if (name === 'table') this.#add(this.#tables.pop()?.blocks() ?? []);
    else this.#tables.at(-1)?.leave(name);
  }

  /** A table that contains another table or headings is layout. */
  #openTable(): void {
    this.#dissolveTable();
    this.#tables.push(new HtmlTable());
  }

  #dissolveTable(): void {
    const outer = this.#tables.at(-1);
    if (!outer) return;
    this.#tables[this.#tables.length - 1] = undefined;
    this.#add(outer.dissolved());
  }

  // Not spread into one call: too many arguments overflow the stack.
  #add(blocks: readonly DocumentBlock[]): void {
    for (const block of blocks) this.#blocks.push(block);
  }

  #nextMarker(): string {
    const next = this.#lists.at(-1);
    if (next === undefined) return '- ';
    this.#lists[this.#lists.length - 1] = next + 1;
    return `${next}. `;
  }

  #endHeading(level: number): void {
    this.#dissolveTable();
    const text = inOneLine(this.#text);
    this.#text = '';
    if (text !== '') this.#blocks.push({ type: 'heading', level, text });
  }

  #endBlock(): void {
    const text = this.#preElements > 0 ? this.#text.replace(/^\n+/, '').trimEnd() : inLines(this.#text);
    this.#text = '';
    if (text.trim() === '') return;
    const marked = this.#marker + text;
    this.#marker = '';
    const isInTable = this.#tables.at(-1)?.addText(marked) ?? false;
    if (!isInTable) this.#blocks.push({ type: 'paragraph', text: marked });
  }
}
