import { PatternUnsupported } from './pattern-unsupported.ts';

/** A reading position in a pattern. */
export class PatternCursor {
  readonly #characters: readonly string[];
  position = 0;

  constructor(pattern: string) {
    this.#characters = [...pattern];
  }

  peek(offset = 0): string | undefined {
    return this.#characters[this.position + offset];
  }

  take(): string {
    const character = this.peek();
    if (character === undefined) throw new PatternUnsupported('the pattern ends too early');
    this.position += 1;
    return character;
  }

  /** Reads the character if it is next. */
  accept(character: string): boolean {
    if (this.peek() !== character) return false;
    this.position += 1;
    return true;
  }

  expect(character: string): void {
    if (!this.accept(character)) throw new PatternUnsupported(`"${character}" is missing`);
  }

  integer(): number | undefined {
    let digits = '';
    while (/^[0-9]$/.test(this.peek() ?? '')) digits += this.take();
    return digits === '' ? undefined : Number(digits);
  }

  /** Reads exactly this many hexadecimal digits, or nothing. */
  hexadecimal(digits: number): number | undefined {
    const text = this.#characters.slice(this.position, this.position + digits).join('');
    if (!new RegExp(`^[0-9a-fA-F]{${digits}}$`).test(text)) return undefined;
    this.position += digits;
    return Number.parseInt(text, 16);
  }

  untilBrace(): string {
    let text = '';
    for (let next = this.take(); next !== '}'; next = this.take()) text += next;
    return text;
  }
}
