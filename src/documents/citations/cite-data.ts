import type { CitationTree } from '../citation.ts';
import type { NamedDocument } from '../extractor.ts';
import { FieldWords, fieldWords } from '../grounded/label-words.ts';
import { findCitation } from './find-citation.ts';
import { type QuotableLine, quotableLines } from './quotable-lines.ts';

const UNGROUNDED = { grounded: false } as const;

/** Says of every leaf of extracted data where it stands in the documents. */
export function citeData(data: unknown, documents: readonly Pick<NamedDocument, 'pages'>[]): CitationTree {
  const names = new Map<string, FieldWords>();
  const wordsOf = (name: string) => {
    const known = names.get(name) ?? fieldWords(name, '');
    names.set(name, known);
    return known;
  };
  return cite(data, { field: new FieldWords(), wordsOf, lines: quotableLines(documents) });
}

interface CitedPlace {
  readonly field: FieldWords;
  /** The words of a property's name, made once for all items of a list. */
  readonly wordsOf: (name: string) => FieldWords;
  readonly lines: readonly QuotableLine[];
}

function cite(value: unknown, place: CitedPlace): CitationTree {
  if (Array.isArray(value)) return value.map((item) => cite(item, place));
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => [
      name,
      cite(member, { ...place, field: place.wordsOf(name) }),
    ]);
    return Object.fromEntries(members);
  }
  if (typeof value !== 'string' && typeof value !== 'number') return UNGROUNDED;
  return findCitation(value, place.field, place.lines) ?? UNGROUNDED;
}
