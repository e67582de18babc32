import type { CharacterSet } from '../automata/character-set.ts';
import type { Alternative, GrammarSymbol, Rule, RuleId } from './grammar-builder.ts';

const [QUOTE, BACKSLASH, SPACE, DELETE] = [0x22, 0x5c, 0x20, 0x7f];

/** Writes the rules reachable from `root` in llama.cpp's notation, without unproductive ones. */
export function writeGbnf(rules: readonly Rule[], root: RuleId, canBeMade: (id: RuleId) => boolean): string {
  return new GbnfWriter(rules, canBeMade).write(root);
}

type RuleSymbol = Extract<GrammarSymbol, { type: 'rule' }>;

class GbnfWriter {
  readonly #rules: readonly Rule[];
  readonly #canBeMade: (id: RuleId) => boolean;
  /** Cache: automata repeat the same few sets. */
  readonly #sets = new Map<CharacterSet, string>();
  readonly #order: RuleId[] = [];
  readonly #isReached: Uint8Array;

  constructor(rules: readonly Rule[], canBeMade: (id: RuleId) => boolean) {
    this.#rules = rules;
    this.#canBeMade = canBeMade;
    this.#isReached = new Uint8Array(rules.length);
  }

  write(root: RuleId): string {
    const lines = [`root ::= ${this.#nameOf(root)}`];
    for (const id of this.#order) lines.push(this.#line(id));
    return `${lines.join('\n')}\n`;
  }

  /** The name of a rule, which is queued for writing. A rule that only refers to another is replaced by it. */
  #nameOf(id: RuleId): string {
    let named = id;
    for (let next = this.#onlyName(id); next !== undefined; next = this.#onlyName(next)) named = next;
    if (!this.#isReached[named]) this.#order.push(named);
    this.#isReached[named] = 1;
    return this.#rules[named]?.name ?? '';
  }

  /** The rule that this one is an alias of. A productive rule is never an alias of itself. */
  #onlyName(id: RuleId): RuleId | undefined {
    const alternatives = this.#rules[id]?.alternatives ?? [];
    const symbol =
      alternatives.length === 1 && alternatives[0]?.length === 1 ? alternatives[0][0] : undefined;
    return symbol?.type === 'rule' && symbol.min === 1 && symbol.max === 1 ? symbol.id : undefined;
  }

  #line(id: RuleId): string {
    let line = `${this.#rules[id]?.name ?? ''} ::= `;
    let isFirst = true;
    for (const alternative of this.#rules[id]?.alternatives ?? []) {
      if (!this.#canFinish(alternative)) continue;
      line += isFirst ? this.#alternative(alternative) : ` | ${this.#alternative(alternative)}`;
      isFirst = false;
    }
    return line;
  }

  #canFinish(alternative: Alternative): boolean {
    for (const symbol of alternative) {
      if (symbol.type === 'rule' && symbol.min > 0 && !this.#canBeMade(symbol.id)) return false;
    }
    return true;
  }

  /** Merges adjacent texts. */
  #alternative(alternative: Alternative): string {
    let line = '';
    let text = '';
    for (const symbol of alternative) {
      if (symbol.type === 'text') {
        text += symbol.text;
        continue;
      }
      if (symbol.type === 'rule' && !this.#appears(symbol)) continue;
      if (text !== '') line = spaced(line, quote(text));
      text = '';
      line = spaced(line, symbol.type === 'rule' ? this.#reference(symbol) : this.#set(symbol.set));
    }
    return text !== '' || line === '' ? spaced(line, quote(text)) : line;
  }

  #appears({ id, max }: RuleSymbol): boolean {
    return max > 0 && this.#canBeMade(id);
  }

  #reference({ id, min, max }: RuleSymbol): string {
    return min === 1 && max === 1 ? this.#nameOf(id) : this.#nameOf(id) + emitCount(min, max);
  }

  #set(set: CharacterSet): string {
    const known = this.#sets.get(set);
    if (known !== undefined) return known;
    const emitted = emitSet(set);
    this.#sets.set(set, emitted);
    return emitted;
  }
}

function spaced(line: string, next: string): string {
  return line === '' ? next : `${line} ${next}`;
}

function emitCount(min: number, max: number): string {
  if (min === 0 && max === 1) return '?';
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

// A loop, since nearly every text has a quotation mark and a regular expression with a callback takes several times as long.
function quote(text: string): string {
  let quoted = '"';
  let copied = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const isMark = code === QUOTE || code === BACKSLASH;
    if (!isMark && code >= SPACE && code !== DELETE) continue;
    quoted += text.slice(copied, index) + (isMark ? `\\${text[index]}` : hexadecimal(code));
    copied = index + 1;
  }
  return `${quoted}${text.slice(copied)}"`;
}

function emitSet(set: CharacterSet): string {
  let ranges = '';
  for (const { low, high } of set) {
    ranges += low === high ? emitCharacter(low) : `${emitCharacter(low)}-${emitCharacter(high)}`;
  }
  return `[${ranges}]`;
}

function emitCharacter(codePoint: number): string {
  return isPlain(codePoint) ? String.fromCharCode(codePoint) : hexadecimal(codePoint);
}

/** A digit, a letter or a space. */
function isPlain(codePoint: number): boolean {
  const isDigit = codePoint >= 0x30 && codePoint <= 0x39;
  const lower = codePoint | 0x20;
  return isDigit || codePoint === 0x20 || (codePoint < 0x80 && lower >= 0x61 && lower <= 0x7a);
}

function hexadecimal(codePoint: number): string {
  const digits = codePoint.toString(16);
  if (codePoint <= 0xff) return `\\x${digits.padStart(2, '0')}`;
  return codePoint <= 0xffff ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
}
