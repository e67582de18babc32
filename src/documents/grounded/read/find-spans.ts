import type { FoundValue } from '../../values/found-value.ts';
import { labelTokens } from '../words/label-words.ts';
import type { Position } from './positions.ts';

/** Words per value. */
const MAX_SPAN_WORDS = 8;
/** A sentence has at least as many, and keeps its full stop. */
const SENTENCE_WORDS = 3;
const MOST_SENTENCE_WORDS = 60;
const TRAILING = /[,;:.?!)>"'\]“”]$/;
// Abbreviations that keep their trailing point.
const ABBREVIATED =
  /(?:^|\s)(?:\p{L}\.)+$|(?:Ltd|Inc|Co|Corp|Mr|Mrs|Ms|Dr|Jr|Sr|St|Str|Fa|S\.L|S\.A|S\.p\.A|S\.r\.l|e\.V|bzw|Gr|Nr|No|izq|dcha|int|apt)\.$/u;
const NUMBER_MARK = /^(?:no|nr|num|n|nº|n°|n\.º|№|#)[.:º°]*\s/i;

/** A run of words that may be a value. */
export interface Span extends FoundValue<string> {
  /** Whether it extends to the end of the labelled text. */
  readonly closesSlot: boolean;
  /** Whether every word is a known label word. */
  readonly isLabel: boolean;
}

type SpanPlace = Pick<Position, 'segment' | 'offset' | 'start'>;

/** Word runs that start at a position and stay within its segment. */
export function spansAt({ segment, offset, start }: SpanPlace): readonly Span[] {
  const rest = segment.text.slice(offset);
  const spans: Span[] = [...sentencesAt({ segment, offset, start })];
  for (const match of Array.from(rest.matchAll(/\S+/g)).slice(0, MAX_SPAN_WORDS)) {
    const bare = trimmed(rest.slice(0, match.index + match[0].length));
    const after = rest.slice(bare.length);
    const value = isClosing(bare) && segment.text[offset - 1] === '(' ? `(${bare}` : bare;
    const from = start + bare.length - value.length;
    // A colon inside means that a label was included.
    if (/:\s/.test(value) || NUMBER_MARK.test(value)) break;
    if (!/[\p{L}\p{N}]/u.test(value) || spans.some((span) => span.value === value)) continue;
    spans.push({
      value,
      start: from,
      end: from + value.length,
      closesSlot: /^\s*(?:$|[,;()|]|\.(?:\s|$))/.test(after),
      isLabel: isAllLabel(value),
    });
  }
  return spans;
}

/** Whether a text closes a bracket that opens before it: `555) 0123`. */
function isClosing(text: string): boolean {
  return text.includes(')') && !text.includes('(');
}

/** All that stands behind a label, if it is longer than other values or a sentence. */
function sentencesAt({ segment, offset, start }: SpanPlace): readonly Span[] {
  const value = segment.text.slice(offset).trim();
  const words = value.split(/\s+/).length;
  const isLabelled = offset === 0 ? words > MAX_SPAN_WORDS : /:\s*$/.test(segment.text.slice(0, offset));
  const isLong =
    words > MAX_SPAN_WORDS ||
    (words >= SENTENCE_WORDS && /\p{Ll}{3}[.!?]$/u.test(value) && !ABBREVIATED.test(value));
  if (!isLabelled || !isLong || words > MOST_SENTENCE_WORDS || /:\s/.test(value)) return [];
  return [{ value, start, end: start + value.length, closesSlot: true, isLabel: false }];
}

/** Whether every word is a known label word. */
export function isAllLabel(value: string): boolean {
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
