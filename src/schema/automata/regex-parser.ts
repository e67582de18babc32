import {
  type CharacterRange,
  type CharacterSet,
  characterSet,
  complementSet,
  DIGITS,
  NOT_LINE_END,
  singleCharacter,
  WHITE_SPACE,
  WORD_CHARACTERS,
} from './character-set.ts';
import { PatternUnsupported } from './pattern-unsupported.ts';
import { choice, EMPTY_TEXT, type RegexNode, repeat, sequence, set } from './regex-node.ts';
import type { UnicodeProperties } from './unicode-properties.ts';

const CONTROL_ESCAPES: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, 0: 0 };
const CLASS_ESCAPES: Readonly<Record<string, CharacterSet>> = {
  d: DIGITS,
  D: complementSet(DIGITS),
  w: WORD_CHARACTERS,
  W: complementSet(WORD_CHARACTERS),
  s: WHITE_SPACE,
  S: complementSet(WHITE_SPACE),
};
const HYPHEN = 0x2d;

/** Reads an ECMAScript pattern; the caller has checked that a RegExp can be made of it. */
export function parseRegex(pattern: string, properties: UnicodeProperties): RegexNode {
  return new RegexParser(pattern, properties).parse();
}

class RegexParser {
  readonly #characters: readonly string[];
  readonly #properties: UnicodeProperties;
  #position = 0;

  constructor(pattern: string, properties: UnicodeProperties) {
    this.#characters = [...pattern];
    this.#properties = properties;
  }

  parse(): RegexNode {
    const node = this.#choice();
    if (this.#peek() !== undefined) throw new PatternUnsupported(`"${this.#peek()}" is not expected here`);
    return node;
  }

  #peek(offset = 0): string | undefined {
    return this.#characters[this.#position + offset];
  }

  #take(): string {
    const character = this.#peek();
    if (character === undefined) throw new PatternUnsupported('the pattern ends too early');
    this.#position += 1;
    return character;
  }

  #accept(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#position += 1;
    return true;
  }

  #expect(character: string): void {
    if (!this.#accept(character)) throw new PatternUnsupported(`"${character}" is missing`);
  }

  #choice(): RegexNode {
    const options = [this.#sequence()];
    while (this.#accept('|')) options.push(this.#sequence());
    return options.length === 1 ? (options[0] ?? EMPTY_TEXT) : choice(options);
  }

  #sequence(): RegexNode {
    const parts: RegexNode[] = [];
    for (let next = this.#peek(); next !== undefined && next !== '|' && next !== ')'; next = this.#peek()) {
      parts.push(this.#quantified());
    }
    return parts.length === 1 ? (parts[0] ?? EMPTY_TEXT) : sequence(...parts);
  }

  #quantified(): RegexNode {
    const node = this.#atom();
    const bounds = this.#quantifier();
    if (!bounds) return node;
    // A lazy quantifier prefers another match; which texts match at all stays the same.
    this.#accept('?');
    return repeat(node, bounds.min, bounds.max);
  }

  #quantifier(): { readonly min: number; readonly max: number } | undefined {
    if (this.#accept('*')) return { min: 0, max: Infinity };
    if (this.#accept('+')) return { min: 1, max: Infinity };
    if (this.#accept('?')) return { min: 0, max: 1 };
    return this.#countedQuantifier();
  }

  #countedQuantifier(): { readonly min: number; readonly max: number } | undefined {
    const before = this.#position;
    if (!this.#accept('{')) return undefined;
    const min = this.#integer();
    let max = min;
    if (this.#accept(',')) max = this.#integer() ?? Infinity;
    if (min !== undefined && max !== undefined && this.#accept('}')) return { min, max };
    // Outside unicode mode a brace that opens no quantifier is an ordinary character.
    this.#position = before;
    return undefined;
  }

  #integer(): number | undefined {
    let digits = '';
    while (/^[0-9]$/.test(this.#peek() ?? '')) digits += this.#take();
    return digits === '' ? undefined : Number(digits);
  }

  #atom(): RegexNode {
    const character = this.#take();
    switch (character) {
      case '(':
        return this.#group();
      case '[':
        return set(this.#characterClass());
      case '.':
        return set(NOT_LINE_END);
      case '^':
        return { type: 'start' };
      case '$':
        return { type: 'end' };
      case '\\':
        return set(this.#escape(false));
      default:
        return set(singleCharacter(character.codePointAt(0) ?? 0));
    }
  }

  #group(): RegexNode {
    if (!this.#accept('?')) return this.#groupBody();
    const kind = this.#take();
    if (kind === ':') return this.#groupBody();
    if (kind === '=' || kind === '!') {
      return { type: 'lookahead', negated: kind === '!', node: this.#groupBody() };
    }
    const isNamed = kind === '<' && this.#peek() !== '=' && this.#peek() !== '!';
    if (!isNamed) throw new PatternUnsupported('lookbehind is not regular enough to be enforced');
    while (this.#take() !== '>');
    return this.#groupBody();
  }

  #groupBody(): RegexNode {
    const body = this.#choice();
    this.#expect(')');
    return body;
  }

  #characterClass(): CharacterSet {
    const isNegated = this.#accept('^');
    const ranges: CharacterRange[] = [];
    while (!this.#accept(']')) ranges.push(...this.#classRange());
    const members = characterSet(ranges);
    return isNegated ? complementSet(members) : members;
  }

  #classRange(): readonly CharacterRange[] {
    const first = this.#classMember();
    if (this.#peek() !== '-' || this.#peek(1) === ']') return first;
    this.#take();
    const last = this.#classMember();
    const [low, high] = [onlyCharacter(first), onlyCharacter(last)];
    // Outside unicode mode `[\w-.]` holds a hyphen: a class cannot bound a range.
    if (low === undefined || high === undefined) return [...first, ...singleCharacter(HYPHEN), ...last];
    return [{ low, high }];
  }

  #classMember(): CharacterSet {
    const character = this.#take();
    return character === '\\' ? this.#escape(true) : singleCharacter(character.codePointAt(0) ?? 0);
  }

  #escape(inClass: boolean): CharacterSet {
    const letter = this.#take();
    const escapedClass = CLASS_ESCAPES[letter];
    if (escapedClass) return escapedClass;
    const control = CONTROL_ESCAPES[letter];
    if (control !== undefined) return singleCharacter(control);
    if (letter === 'p' || letter === 'P') return this.#propertyEscape(letter);
    if (letter === 'b' && inClass) return singleCharacter(8);
    if (/^[bB]$/.test(letter)) throw new PatternUnsupported(`\\${letter} is not enforced`);
    if (/^[1-9k]$/.test(letter)) throw new PatternUnsupported('a back-reference is not regular');
    return singleCharacter(this.#codePointEscape(letter));
  }

  #codePointEscape(letter: string): number {
    if (letter === 'c') return (this.#take().codePointAt(0) ?? 0) & 31;
    const code = letter === 'x' ? this.#hexadecimal(2) : letter === 'u' ? this.#unicodeEscape() : undefined;
    return code ?? letter.codePointAt(0) ?? 0;
  }

  #unicodeEscape(): number | undefined {
    if (this.#accept('{')) return Number.parseInt(this.#untilBrace(), 16);
    const unit = this.#hexadecimal(4);
    const isLead = unit !== undefined && unit >= 0xd800 && unit <= 0xdbff;
    if (!isLead || this.#peek() !== '\\' || this.#peek(1) !== 'u') return unit;
    this.#position += 2;
    const trail = this.#hexadecimal(4);
    return trail === undefined ? unit : String.fromCharCode(unit, trail).codePointAt(0);
  }

  #hexadecimal(digits: number): number | undefined {
    const text = this.#characters.slice(this.#position, this.#position + digits).join('');
    if (!new RegExp(`^[0-9a-fA-F]{${digits}}$`).test(text)) return undefined;
    this.#position += digits;
    return Number.parseInt(text, 16);
  }

  #propertyEscape(letter: 'p' | 'P'): CharacterSet {
    if (!this.#accept('{')) return singleCharacter(letter.codePointAt(0) ?? 0);
    const members = this.#properties.lookUp(this.#untilBrace());
    return letter === 'P' ? complementSet(members) : members;
  }

  #untilBrace(): string {
    let text = '';
    for (let next = this.#take(); next !== '}'; next = this.#take()) text += next;
    return text;
  }
}

function onlyCharacter(members: CharacterSet): number | undefined {
  const [range, ...more] = members;
  return range && more.length === 0 && range.low === range.high ? range.low : undefined;
}
