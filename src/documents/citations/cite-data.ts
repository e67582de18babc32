import type { Citation, CitationTree } from '../citation.ts';
import type { NamedDocument } from '../extractor.ts';
import { FieldWords, fieldWords } from '../grounded/words/label-words.ts';
import { pointerOf } from '../json-pointer.ts';
import { findCitation } from './find-citation.ts';
import { type QuotableLine, quotableLines } from './quotable-lines.ts';

const UNGROUNDED = { grounded: false } as const;

/** The likely files of a value at a path; empty if unknown. */
export type LikelyFiles = (path: readonly string[]) => ReadonlySet<number>;

/** Cites every leaf of the extracted data: from where it was taken if known, else from where its text is found. */
export function citeData(
  data: unknown,
  documents: readonly Pick<NamedDocument, 'name' | 'pages'>[],
  filesOf: LikelyFiles,
  known: ReadonlyMap<string, Citation> = new Map(),
): CitationTree {
  const names = new Map<string, FieldWords>();
  const wordsOf = (name: string) => {
    const known = names.get(name) ?? fieldWords(name, '');
    names.set(name, known);
    return known;
  };
  return cite(data, {
    path: [],
    field: new FieldWords(),
    wordsOf,
    filesOf,
    known,
    lines: quotableLines(documents),
  });
}

interface CitedField {
  readonly path: readonly string[];
  readonly field: FieldWords;
  /** Words of a property's name, cached for the items of a list. */
  readonly wordsOf: (name: string) => FieldWords;
  readonly filesOf: LikelyFiles;
  /** By JSON pointer: where the extractor took values from. */
  readonly known: ReadonlyMap<string, Citation>;
  readonly lines: readonly QuotableLine[];
}

function cite(value: unknown, cited: CitedField): CitationTree {
  const { path, field, wordsOf, filesOf, known, lines } = cited;
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
  const citation = known.get(pointerOf(path));
  return citation ?? findCitation(value, { field, files: filesOf(path), lines }) ?? UNGROUNDED;
}
