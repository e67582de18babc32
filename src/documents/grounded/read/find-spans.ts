import type { FoundValue } from '../../values/found-value.ts';
import { labelTokens } from '../words/label-words.ts';
import type { Position } from './positions.ts';

/** Words per value. */
const MAX_SPAN_WORDS = 8;
const TRAILING = /[,;:.?!)"'\]“”]$/;
// Abbreviations that keep their trailing point.
const ABBREVIATED =
  /(?:^|\s)(?:\p{L}\.)+$|(?:Ltd|Inc|Co|Corp|Mr|Mrs|Ms|Dr|Jr|Sr|St|Str|S\.L|S\.A|S\.p\.A|S\.r\.l|e\.V|bzw|Gr|Nr|No|izq|dcha|int|apt)\.$/u;
const NUMBER_MARK = /^(?:no|nr|num|n|nº|n°|n\.º|№|#)[.:º°]*\s/i;

/** A run of words that may be a value. */
export interface Span extends FoundValue<string> {
  /** Whether it extends to the end of the labelled text. */
  readonly closesSlot: boolean;
  /** Whether every word is a known label word. */
  readonly isLabel: boolean;
}

/** Word runs that start at a position and stay within its segment. */
export function spansAt({ segment, offset, start }: Position): readonly Span[] {
  const rest = segment.text.slice(offset);
  const spans: Span[] = [];
  for (const match of Array.from(rest.matchAll(/\S+/g)).slice(0, MAX_SPAN_WORDS)) {
    const value = trimmed(rest.slice(0, match.index + match[0].length));
    const after = rest.slice(value.length);
    // A colon inside means that a label was included.
    if (/:\s/.test(value) || NUMBER_MARK.test(value)) break;
    if (!/[\p{L}\p{N}]/u.test(value) || spans.at(-1)?.value === value) continue;
    spans.push({
      value,
      start,
      end: start + value.length,
      closesSlot: /^\s*(?:$|[,;()|]|\.(?:\s|$))/.test(after),
      isLabel: isAllLabel(value),
    });
  }
  return spans;
}

function isAllLabel(value: string): boolean {
  const tokens = labelTokens(value);
  return tokens.length > 0 && tokens.every((token) => token.startsWith('='));
}

function trimmed(text: string): string {
  let value = text;
  while (TRAILING.test(value) && !ABBREVIATED.test(value)) {
    if (value.endsWith(')') && value.includes('(')) break;
    value = value.slice(0, -1).trimEnd();
  }
  return value;
}
