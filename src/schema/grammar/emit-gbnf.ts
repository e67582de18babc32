import type { CharacterSet } from '../automata/character-set.ts';
import type { Alternative, GrammarSymbol, RuleId } from './grammar-builder.ts';

/** One rule as a line of llama.cpp's grammar notation. */
export function emitRule(name: string, alternatives: readonly Alternative[], nameOf: NameOf): string {
  return `${name} ::= ${alternatives.map((alternative) => emitAlternative(alternative, nameOf)).join(' | ')}`;
}

type NameOf = (id: RuleId) => string;

function emitAlternative(alternative: Alternative, nameOf: NameOf): string {
  const symbols = joinTexts(alternative);
  return symbols.length === 0 ? '""' : symbols.map((symbol) => emitSymbol(symbol, nameOf)).join(' ');
}

function joinTexts(alternative: Alternative): Alternative {
  const joined: GrammarSymbol[] = [];
  for (const symbol of alternative) {
    const last = joined.at(-1);
    if (symbol.type === 'text' && last?.type === 'text') {
      joined[joined.length - 1] = { type: 'text', text: last.text + symbol.text };
    } else if (symbol.type !== 'text' || symbol.text !== '') joined.push(symbol);
  }
  return joined;
}

function emitSymbol(symbol: GrammarSymbol, nameOf: NameOf): string {
  switch (symbol.type) {
    case 'text':
      return `"${[...symbol.text].map(escapeInText).join('')}"`;
    case 'characters':
      return emitSet(symbol.set);
    case 'rule':
      return nameOf(symbol.id) + emitCount(symbol.min, symbol.max);
  }
}

function emitCount(min: number, max: number): string {
  if (min === 1 && max === 1) return '';
  if (min === 0 && max === 1) return '?';
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

function escapeInText(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  const codePoint = character.codePointAt(0) ?? 0;
  return codePoint < 0x20 || codePoint === 0x7f ? hexadecimal(codePoint) : character;
}

function emitSet(set: CharacterSet): string {
  const ranges = set.map(({ low, high }) =>
    low === high ? emitCharacter(low) : `${emitCharacter(low)}-${emitCharacter(high)}`,
  );
  return `[${ranges.join('')}]`;
}

function emitCharacter(codePoint: number): string {
  const character = String.fromCodePoint(codePoint);
  return /^[0-9A-Za-z ]$/.test(character) ? character : hexadecimal(codePoint);
}

function hexadecimal(codePoint: number): string {
  const digits = codePoint.toString(16);
  if (codePoint <= 0xff) return `\\x${digits.padStart(2, '0')}`;
  return codePoint <= 0xffff ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
}
