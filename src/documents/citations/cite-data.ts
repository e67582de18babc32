import type { CitationTree } from '../citation.ts';
import type { NamedDocument } from '../extractor.ts';
import { FieldWords, fieldWords } from '../grounded/label-words.ts';
import { findCitation } from './find-citation.ts';
import { type QuotableLine, quotableLines } from './quotable-lines.ts';

const UNGROUNDED = { grounded: false } as const;

/** The likely files of a value at a path; empty if unknown. */
export type LikelyFiles = (path: readonly string[]) => ReadonlySet<number>;

/** Cites every leaf of the extracted data. */
export function citeData(
  data: unknown,
  documents: readonly Pick<NamedDocument, 'name' | 'pages'>[],
  filesOf: LikelyFiles,
): CitationTree {
  const names = new Map<string, FieldWords>();
  const wordsOf = (name: string) => {
    const known = names.get(name) ?? fieldWords(name, '');
    names.set(name, known);
    return known;
  };
  return cite(data, { path: [], field: new FieldWords(), wordsOf, filesOf, lines: quotableLines(documents) });
}

interface CitedField {
  readonly path: readonly string[];
  readonly field: FieldWords;
  /** Words of a property's name, cached for the items of a list. */
  readonly wordsOf: (name: string) => FieldWords;
  readonly filesOf: LikelyFiles;
  readonly lines: readonly QuotableLine[];
}

function cite(value: unknown, cited: CitedField): CitationTree {
  const { path, field, wordsOf, filesOf, lines } = cited;
  if (Array.isArray(value))
    return value.map((item, index) => cite(item, { ...cited, path: [...path, String(index)] }));
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => [
      name,
      cite(member, { ...cited, path: [...path, name], field: wordsOf(name) }),
    ]);
    return Object.fromEntries(members);
  }
  if (typeof value !== 'string' && typeof value !== 'number') return UNGROUNDED;
  return findCitation(value, { field, files: filesOf(path), lines }) ?? UNGROUNDED;
}
