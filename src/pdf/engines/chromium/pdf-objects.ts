import { CommandFailed } from './browser-errors.ts';

const TAIL_BYTES = 2048;
const XREF_ENTRY_BYTES = 20;
// A literal string with escapes, or a hexadecimal one.
const STRINGS = /\((?:[^()\\]|\\[\s\S])*\)|<[0-9A-Fa-f\s]*>/g;

/** The objects of a PDF, located by its cross-reference table, so that text in a title is never mistaken for one. */
export class PdfObjects {
  readonly #bytes: Buffer;
  readonly #tableStart: number;
  readonly #firstNumber: number;
  readonly #offsets: readonly number[];
  readonly #trailer: string;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    const tail = bytes.subarray(-TAIL_BYTES).toString('latin1');
    this.#tableStart = Number(required(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(tail))[1]);
    const table = bytes.subarray(this.#tableStart).toString('latin1');
    const [head, first, count] = required(/^xref\s+(\d+)\s+(\d+)\s*\n/.exec(table));
    this.#firstNumber = Number(first);
    this.#offsets = Array.from({ length: Number(count) }, (_, index) => {
      const at = head.length + index * XREF_ENTRY_BYTES;
      return Number(table.slice(at, at + 10));
    });
    this.#trailer = table.slice(table.lastIndexOf('trailer'));
  }

  get pageCount(): number {
    const root = this.text(reference(this.#trailer, 'Root'));
    const pages = this.text(reference(root, 'Pages'));
    return Number(required(/\/Count (\d+)/.exec(pages.replaceAll(STRINGS, '')))[1]);
  }

  /** The number of the Info object. */
  get infoNumber(): number {
    return reference(this.#trailer, 'Info');
  }

  /** Its byte offset. */
  offset(number: number): number {
    const offset = this.#offsets[number - this.#firstNumber];
    if (offset === undefined) throw new CommandFailed('the printed PDF refers to an object that it has not');
    return offset;
  }

  /** From its number to just before `endobj`. */
  text(number: number): string {
    const start = this.offset(number);
    const next = this.#offsets.reduce(
      (nearest, offset) => (offset > start && offset < nearest ? offset : nearest),
      this.#tableStart,
    );
    const text = this.#bytes.subarray(start, next).toString('latin1');
    return text.slice(0, text.lastIndexOf('endobj'));
  }
}

function reference(text: string, name: string): number {
  return Number(required(new RegExp(`/${name} (\\d+) 0 R`).exec(text.replaceAll(STRINGS, '')))[1]);
}

function required(match: RegExpExecArray | null): readonly [string, ...string[]] {
  if (match === null) throw new CommandFailed('the printed PDF cannot be read');
  const [whole, ...groups] = match;
  return [whole, ...groups];
}
