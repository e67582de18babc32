import type { FoundValue } from './found-value.ts';
import { labelTokens } from './label-words.ts';
import type { Place } from './places.ts';

/** How many words a value may have. */
const MAX_SPAN_WORDS = 8;
const TRAILING = /[,;:.?!)"'\]“”]$/;
// These end in a point of their own.
const ABBREVIATED =
  /(?:^|\s)(?:\p{L}\.)+$|(?:Ltd|Inc|Co|Corp|Mr|Mrs|Ms|Dr|Jr|Sr|St|Str|S\.L|S\.A|S\.p\.A|S\.r\.l|e\.V|bzw|Gr|Nr|No)\.$/u;
const NUMBER_MARK = /^(?:no|nr|num|n|nº|n°|n\.º|№|#)[.:º°]*\s/i;

/** A run of words that may be a value. */
export interface Span extends FoundValue<string> {
  /** Whether it goes to the end of what its label names. */
  readonly closesSlot: boolean;
  /** Whether every word is one that documents label things with. */
  readonly isLabel: boolean;
}

/** The runs of whole words that begin at a place and end within its segment. */
export function spansAt({ segment, offset, start }: Place): readonly Span[] {
  const rest = segment.text.slice(offset);
  const spans: Span[] = [];
  for (const match of Array.from(rest.matchAll(/\S+/g)).slice(0, MAX_SPAN_WORDS)) {
    const value = trimmed(rest.slice(0, match.index + match[0].length));
    const after = rest.slice(value.length);
    // A colon within means that a label was taken along.
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
