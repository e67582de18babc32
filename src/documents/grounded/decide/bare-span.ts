import { plainLetters } from '../../values/plain-letters.ts';
import type { Field } from '../plan/schema-plan.ts';
import type { ProposedSpan } from '../propose/network-answers.ts';
import { type Evidence, positionAt } from '../read/evidence.ts';
import { isInstitutionWord } from '../words/institutions.ts';

/** Characters before a span that may belong to its first word. */
const MOST_WORD = 64;

/** A span of the network as a value: without its label or field name, with its whole first word, and with brackets in pairs. */
export function bareSpan(field: Field, span: ProposedSpan, read: Evidence): ProposedSpan {
  return withoutOwnName(field, withPairs(withWholeWord(withoutLabel(span, read), read), read));
}

/** Takes an unpaired bracket or quote off a text, and adds the opening bracket that stands right before it. */
function withPairs(span: ProposedSpan, { source, file }: Evidence): ProposedSpan {
  const { text, start, ranges } = span;
  const [first, ...others] = ranges;
  if (first === undefined) return span;
  const isClosed = text.includes(')') && !text.includes('(');
  if (isClosed && source.text[start - file.start - 1] === '(')
    return {
      ...span,
      text: `(${text}`,
      start: start - 1,
      ranges: [{ ...first, start: start - 1 }, ...others],
    };
  const opened = /^[<"“„](?=[^>"”“]*$)/.exec(text)?.[0].length ?? 0;
  const closed = /(?<=^[^<"“„]*)[>"”“]$/.exec(text)?.[0].length ?? 0;
  if (opened + closed === 0) return span;
  const last = ranges.length - 1;
  return {
    ...span,
    text: text.slice(opened, text.length - closed),
    start: start + opened,
    end: span.end - closed,
    ranges: ranges.map((range, order) => ({
      start: range.start + (order === 0 ? opened : 0),
      end: range.end - (order === last ? closed : 0),
    })),
  };
}

/** A text without the field's own name before it: `Ward 4B` of a `ward`. What names an institution is a part of it. */
function withoutOwnName({ kind, path }: Field, span: ProposedSpan): ProposedSpan {
  const [before, word = ''] = /^(\p{Lu}\p{L}+)\s+(?=[\p{Lu}\d])/u.exec(span.text) ?? [];
  const [, ...ranges] = span.ranges;
  if (before === undefined || kind !== 'text' || isInstitutionWord(word) || ranges.length === 0) return span;
  if (plainLetters(word).toLowerCase() !== plainLetters(path.at(-1) ?? '').toLowerCase()) return span;
  return { ...span, text: span.text.slice(before.length), start: ranges[0]?.start ?? span.start, ranges };
}

/** A span that begins behind a point inside a word, with all of the word: `lee@post.example` of `a.lee@post.example`. */
function withWholeWord(span: ProposedSpan, { source, file }: Evidence): ProposedSpan {
  const before = /[\p{L}\d](?:[\p{L}\d]*[._-])+$/u.exec(
    source.text.slice(0, span.start - file.start).slice(-MOST_WORD),
  )?.[0];
  const [first, ...others] = span.ranges;
  if (before === undefined || first === undefined || !/^[^\s@]+@/.test(span.text)) return span;
  const start = span.start - before.length;
  return { ...span, text: before + span.text, start, ranges: [{ ...first, start }, ...others] };
}

/** A span that begins within a label, without the rest of it: `solicitado: Cerámica` of `Curso solicitado: Cerámica`. */
function withoutLabel(span: ProposedSpan, read: Evidence): ProposedSpan {
  const position = positionAt(read, span.start - span.file.start);
  const label = /^\p{L}[^:\d]*:\s+(?=\S)/u.exec(span.text)?.[0];
  if (label === undefined || position === undefined || span.ranges.length < 2) return span;
  const { segment, offset } = position;
  if (offset === 0 || segment.text.slice(0, offset).includes(':')) return span;
  if (!segment.text.slice(offset).startsWith(label)) return span;
  const text = span.text.slice(label.length);
  const start = span.start + label.length;
  return { ...span, text, start, ranges: span.ranges.filter((range) => range.start >= start) };
}
