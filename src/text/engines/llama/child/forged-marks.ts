/** Noncharacters that no template contains; those in a client's text are hidden too. */
const BEGIN = '\uFDD0';
const END = '\uFDD1';
const SET_ASIDE = new RegExp(`${BEGIN}([0-9a-f]*)${END}`);

/**
 * Keeps special tokens, such as the end of a turn, out of a conversation's texts: each is hidden before the template is
 * rendered, and restored as plain text afterwards.
 */
export class ForgedMarks {
  readonly #marks: readonly string[];
  readonly #pattern: RegExp;

  constructor(marks: readonly string[]) {
    this.#marks = marks.filter((mark) => mark !== '').sort((a, b) => b.length - a.length);
    this.#pattern = new RegExp([...this.#marks, BEGIN, END].map(escapePattern).join('|'), 'g');
  }

  /** Hides every mark in the text, and its edges if they could form a mark together with adjacent text. */
  setAside(text: string): string {
    const whole = text.replace(this.#pattern, hide);
    const atEnd = this.#longest(whole, (mark, length) => whole.endsWith(mark.slice(0, length)));
    const cut = whole.length - atEnd;
    const atStart = this.#longest(whole.slice(0, cut), (mark, length) =>
      whole.startsWith(mark.slice(-length)),
    );
    return hideIfAny(whole.slice(0, atStart)) + whole.slice(atStart, cut) + hideIfAny(whole.slice(cut));
  }

  /** The same for all strings within a value, including member names. */
  setAsideWithin(value: unknown): unknown {
    if (typeof value === 'string') return this.setAside(value);
    if (Array.isArray(value)) return value.map((item) => this.setAsideWithin(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [this.setAside(key), this.setAsideWithin(member)]),
    );
  }

  /** The longest part of a mark at an edge of the text, in characters. */
  #longest(text: string, matches: (mark: string, length: number) => boolean): number {
    let longest = 0;
    for (const mark of this.#marks) {
      for (let length = Math.min(mark.length - 1, text.length); length > longest; length -= 1) {
        if (matches(mark, length)) longest = length;
      }
    }
    return longest;
  }
}

/** A piece of a rendered prompt: from the template, or plain text without special tokens. */
export interface PromptPiece {
  readonly text: string;
  readonly isPlain: boolean;
}

/** Splits a rendered prompt into its pieces. */
export function piecesOf(rendered: string): readonly PromptPiece[] {
  return rendered
    .split(SET_ASIDE)
    .map((text, index) => (index % 2 === 0 ? { text, isPlain: false } : { text: shown(text), isPlain: true }))
    .filter(({ text }) => text !== '');
}

function hideIfAny(text: string): string {
  return text === '' ? '' : hide(text);
}

function hide(text: string): string {
  return BEGIN + Buffer.from(text, 'utf16le').toString('hex') + END;
}

function shown(hidden: string): string {
  return Buffer.from(hidden, 'hex').toString('utf16le');
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
