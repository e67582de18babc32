import type { CitationTree } from '../citation.ts';
import type { NamedDocument } from '../extractor.ts';
import { type FieldWords, fieldWords } from '../grounded/label-words.ts';
import { findCitation } from './find-citation.ts';
import { type QuotableLine, quotableLines } from './quotable-lines.ts';

const UNGROUNDED = { grounded: false } as const;

/** Says of every leaf of extracted data where it stands in the documents. */
export function citeData(data: unknown, documents: readonly Pick<NamedDocument, 'pages'>[]): CitationTree {
  return cite(data, { field: new Map(), lines: quotableLines(documents) });
}

function cite(
  value: unknown,
  place: { readonly field: FieldWords; readonly lines: readonly QuotableLine[] },
): CitationTree {
  if (Array.isArray(value)) return value.map((item) => cite(item, place));
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => [
      name,
      cite(member, { ...place, field: fieldWords(name, '') }),
    ]);
    return Object.fromEntries(members);
  }
  if (typeof value !== 'string' && typeof value !== 'number') return UNGROUNDED;
  return findCitation(value, place.field, place.lines) ?? UNGROUNDED;
}
