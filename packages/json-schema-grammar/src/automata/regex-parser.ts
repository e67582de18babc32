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
import { PatternCursor } from './pattern-cursor.ts';
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

/** Parses an ECMAScript pattern that is known to be a valid RegExp. */
export function parseRegex(pattern: string, properties: UnicodeProperties): RegexNode {
  return new RegexParser(pattern, properties).parse();
}

class RegexParser {
  readonly #text: PatternCursor;
  readonly #properties: UnicodeProperties;

  constructor(pattern: string, properties: UnicodeProperties) {
    this.#text = new PatternCursor(pattern);
    this.#properties = properties;
  }

  parse(): RegexNode {
    const node = this.#choice();
    if (this.#text.peek() !== undefined)
      throw new PatternUnsupported(`"${this.#text.peek()}" is not expected here`);
    return node;
  }

  #choice(): RegexNode {
    const options = [this.#sequence()];
    while (this.#text.accept('|')) options.push(this.#sequence());
    return options.length === 1 ? (options[0] ?? EMPTY_TEXT) : choice(options);
  }

  #sequence(): RegexNode {
    const parts: RegexNode[] = [];
    for (
      let next = this.#text.peek();
      next !== undefined && next !== '|' && next !== ')';
      next = this.#text.peek()
    ) {
      parts.push(this.#quantified());
    }
    return parts.length === 1 ? (parts[0] ?? EMPTY_TEXT) : sequence(...parts);
  }

  #quantified(): RegexNode {
    const node = this.#atom();
    const bounds = this.#quantifier();
    if (!bounds) return node;
    // A lazy quantifier prefers shorter matches; the set of matching texts is the same.
    this.#text.accept('?');
    return repeat(node, bounds.min, bounds.max);
  }

  #quantifier(): { readonly min: number; readonly max: number } | undefined {
    if (this.#text.accept('*')) return { min: 0, max: Infinity };
    if (this.#text.accept('+')) return { min: 1, max: Infinity };
    if (this.#text.accept('?')) return { min: 0, max: 1 };
    return this.#countedQuantifier();
  }

  #countedQuantifier(): { readonly min: number; readonly max: number } | undefined {
    const before = this.#text.position;
    if (!this.#text.accept('{')) return undefined;
    const min = this.#text.integer();
    let max = min;
    if (this.#text.accept(',')) max = this.#text.integer() ?? Infinity;
    if (min !== undefined && max !== undefined && this.#text.accept('}')) return { min, max };
    // Outside unicode mode, a brace that does not open a quantifier is an ordinary character.
    this.#text.position = before;
    return undefined;
  }

  #atom(): RegexNode {
    const character = this.#text.take();
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
        return this.#boundary() ?? set(this.#escape(false));
      default:
        return set(singleCharacter(character.codePointAt(0) ?? 0));
    }
  }

  #group(): RegexNode {
    if (!this.#text.accept('?')) return this.#groupBody();
    if (this.#text.accept(':')) return this.#groupBody();
    const isBehind = this.#text.accept('<');
    const kind = this.#text.take();
    if (kind === '=' || kind === '!') {
      const type = isBehind ? 'lookbehind' : 'lookahead';
      return { type, negated: kind === '!', node: this.#groupBody() };
    }
    while (this.#text.take() !== '>');
    return this.#groupBody();
  }

  /** `\b` or `\B`, if it is next. */
  #boundary(): RegexNode | undefined {
    if (this.#text.accept('b')) return { type: 'boundary', negated: false };
    return this.#text.accept('B') ? { type: 'boundary', negated: true } : undefined;
  }

  #groupBody(): RegexNode {
    const body = this.#choice();
    this.#text.expect(')');
    return body;
  }

  #characterClass(): CharacterSet {
    const isNegated = this.#text.accept('^');
    const ranges: CharacterRange[] = [];
    while (!this.#text.accept(']')) ranges.push(...this.#classRange());
    const members = characterSet(ranges);
    return isNegated ? complementSet(members) : members;
  }

  #classRange(): readonly CharacterRange[] {
    const first = this.#classMember();
    if (this.#text.peek() !== '-' || this.#text.peek(1) === ']') return first;
    this.#text.take();
    const last = this.#classMember();
    const [low, high] = [onlyCharacter(first), onlyCharacter(last)];
    // Outside unicode mode, the hyphen in `[\w-.]` is literal: a class cannot bound a range.
    if (low === undefined || high === undefined) return [...first, ...singleCharacter(HYPHEN), ...last];
    return [{ low, high }];
  }

  #classMember(): CharacterSet {
    const character = this.#text.take();
    return character === '\\' ? this.#escape(true) : singleCharacter(character.codePointAt(0) ?? 0);
  }

  #escape(inClass: boolean): CharacterSet {
    const letter = this.#text.take();
    const escapedClass = CLASS_ESCAPES[letter];
    if (escapedClass) return escapedClass;
    const control = CONTROL_ESCAPES[letter];
    if (control !== undefined) return singleCharacter(control);
    if (letter === 'p' || letter === 'P') return this.#propertyEscape(letter);
    if (letter === 'b' && inClass) return singleCharacter(8);
    if (/^[1-9k]$/.test(letter)) {
      throw new PatternUnsupported('a back-reference cannot be matched in bounded time');
    }
    return singleCharacter(this.#codePointEscape(letter));
  }

  #codePointEscape(letter: string): number {
    if (letter === 'c') return (this.#text.take().codePointAt(0) ?? 0) & 31;
    const code =
      letter === 'x' ? this.#text.hexadecimal(2) : letter === 'u' ? this.#unicodeEscape() : undefined;
    return code ?? letter.codePointAt(0) ?? 0;
  }

  #unicodeEscape(): number | undefined {
    if (this.#text.accept('{')) return Number.parseInt(this.#text.untilBrace(), 16);
    const unit = this.#text.hexadecimal(4);
    const isLead = unit !== undefined && unit >= 0xd800 && unit <= 0xdbff;
    if (!isLead || this.#text.peek() !== '\\' || this.#text.peek(1) !== 'u') return unit;
    this.#text.position += 2;
    const trail = this.#text.hexadecimal(4);
    return trail === undefined ? unit : String.fromCharCode(unit, trail).codePointAt(0);
  }

  #propertyEscape(letter: 'p' | 'P'): CharacterSet {
    if (!this.#text.accept('{')) return singleCharacter(letter.codePointAt(0) ?? 0);
    const members = this.#properties.lookUp(this.#text.untilBrace());
    return letter === 'P' ? complementSet(members) : members;
  }
}

function onlyCharacter(members: CharacterSet): number | undefined {
  const [range, ...more] = members;
  return range && more.length === 0 && range.low === range.high ? range.low : undefined;
}
