import type { DocumentBlock } from '../document-block.ts';
import { inLines, inOneLine } from './clean-text.ts';
import { markdownInline } from './markdown-inline.ts';
import { isTableStart, markdownCells } from './markdown-table.ts';

/** Front matter must end within this many lines. */
const MAX_FRONT_MATTER_LINES = 500;
/** Longer lines are always prose. */
const MAX_MARK_LINE = 1_000;

const FENCE = /^\s*(`{3,}|~{3,})([^`]*)$/;
const HEADING = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const BREAK = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const ITEM = /^\s*([-*+]|\d{1,9}[.)])[ \t]+(?=\S)/;
const DEFINITION = /^ {0,3}\[(?!\^)[^[\]]+\]:\s*\S+/;

/** The blocks of a Markdown document. */
export function markdownBlocks(text: string): readonly DocumentBlock[] {
  return new MarkdownReader(text.split('\n')).read();
}

class MarkdownReader {
  readonly #lines: readonly string[];
  readonly #blocks: DocumentBlock[] = [];
  #at = 0;
  /** The lines of the open paragraph, and its list marker. */
  #open: string[] = [];
  #marker = '';
  #isInList = false;
  #isCode = false;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  read(): readonly DocumentBlock[] {
    this.#skipFrontMatter();
    for (; this.#at < this.#lines.length; this.#at += 1) this.#readLine(this.#unquoted(this.#at));
    this.#close();
    return this.#blocks;
  }

  #readLine(line: string): void {
    if (line.trim() === '') this.#close();
    else if (line.length > MAX_MARK_LINE) this.#readText(line);
    else if (!this.#readFence(line) && !this.#readComment(line) && !this.#readHeading(line)) {
      if (!this.#readTable(line)) this.#readText(line);
    }
  }

  #readFence(line: string): boolean {
    const [, fence] = FENCE.exec(line) ?? [];
    if (fence === undefined) return false;
    this.#close();
    const code: string[] = [];
    for (this.#at += 1; this.#at < this.#lines.length; this.#at += 1) {
      const inside = this.#lines[this.#at] ?? '';
      const end = inside.trim();
      if (end.startsWith(fence) && end === (fence[0] ?? '').repeat(end.length)) break;
      code.push(inside.trimEnd());
    }
    this.#add(code.join('\n').replace(/^\n+/, '').trimEnd());
    return true;
  }

  #readComment(line: string): boolean {
    if (!line.trimStart().startsWith('<!--')) return false;
    this.#close();
    while (this.#at < this.#lines.length && !(this.#lines[this.#at] ?? '').includes('-->')) this.#at += 1;
    const rest = (this.#lines[this.#at] ?? '').split('-->').slice(1).join('-->');
    if (rest.trim() !== '') this.#readText(rest);
    return true;
  }

  #readHeading(line: string): boolean {
    const [, marks] = HEADING.exec(line) ?? [];
    if (marks !== undefined) {
      this.#close();
      this.#addHeading(
        marks.length,
        line
          .trim()
          .slice(marks.length)
          .trim()
          .replace(/(?<=^|\s)#+$/, ''),
      );
      return true;
    }
    const [, underline] = UNDERLINE.exec(line) ?? [];
    if (underline !== undefined && this.#open.length > 0 && this.#marker === '') {
      const text = this.#open.join(' ');
      this.#open = [];
      this.#addHeading(underline.startsWith('=') ? 1 : 2, text);
      return true;
    }
    if (!BREAK.test(line)) return false;
    this.#close();
    return true;
  }

  #readTable(line: string): boolean {
    if (!isTableStart(line, this.#unquoted(this.#at + 1))) return false;
    this.#close();
    const header = markdownCells(line);
    const rows: (readonly string[])[] = [];
    for (this.#at += 2; this.#at < this.#lines.length; this.#at += 1) {
      const row = this.#unquoted(this.#at);
      if (!row.includes('|')) break;
      rows.push(markdownCells(row));
    }
    this.#at -= 1;
    this.#blocks.push({ type: 'table', header, rows });
    return true;
  }

  #readText(line: string): void {
    if (this.#open.length === 0 && DEFINITION.test(line)) return;
    const [whole, mark] = ITEM.exec(line) ?? [];
    if (whole !== undefined && mark !== undefined) {
      this.#close();
      this.#isInList = true;
      this.#marker = /\d/.test(mark) ? `${mark} ` : '- ';
      this.#open = [line.slice(whole.length)];
      return;
    }
    if (this.#open.length === 0) {
      const isIndented = /^(?: {4}|\t)/.test(line);
      if (!/^\s/.test(line)) this.#isInList = false;
      this.#isCode = isIndented && !this.#isInList;
    }
    this.#open.push(line);
  }

  #close(): void {
    const lines = this.#open;
    this.#open = [];
    if (lines.length === 0) return;
    if (this.#isCode) this.#add(lines.map((line) => line.replace(/^(?: {4}|\t)/, '').trimEnd()).join('\n'));
    else this.#add(this.#marker + inLines(markdownInline(joinLines(lines))));
    this.#marker = '';
    this.#isCode = false;
  }

  #add(text: string): void {
    if (text.trim() !== '') this.#blocks.push({ type: 'paragraph', text });
  }

  #addHeading(level: number, source: string): void {
    const text = inOneLine(markdownInline(source));
    if (text !== '') this.#blocks.push({ type: 'heading', level, text });
  }

  #unquoted(index: number): string {
    return (this.#lines[index] ?? '').replace(/^(?:\s{0,3}>[ \t]?)+/, '');
  }

  #skipFrontMatter(): void {
    const mark = this.#lines[0]?.trimEnd();
    if (mark !== '---' && mark !== '+++') return;
    const rest = this.#lines.slice(1, MAX_FRONT_MATTER_LINES).map((line) => line.trimEnd());
    const end = rest.findIndex((line) => line === mark || (mark === '---' && line === '...'));
    if (end !== -1) this.#at = end + 2;
  }
}

/** Two trailing spaces or a backslash force a line break; otherwise lines are joined. */
function joinLines(lines: readonly string[]): string {
  return lines
    .map((line, index) => {
      if (index === lines.length - 1) return line;
      return / {2}$|\\$/.test(line) ? `${line.replace(/\\$/, '').trim()}\n` : `${line.trim()} `;
    })
    .join('');
}
