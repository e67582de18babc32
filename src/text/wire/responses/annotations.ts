import type { FoundPassage } from '../../found-passage.ts';

/** A reference from a text to the place that it is taken from. */
interface FileCitation {
  readonly type: 'file_citation';
  /** The place in the text. */
  readonly index: number;
  readonly file_id: string;
  readonly filename: string;
  readonly page: number | null;
}

/**
 * The citations of a text: where it has the number of a passage in brackets, as the model was asked to write. A text without
 * any may still be taken from every passage, so all places are named at its end, each once.
 */
export function annotationsOf(text: string, passages: readonly FoundPassage[]): readonly FileCitation[] {
  if (passages.length === 0) return [];
  const cited = [...text.matchAll(/\[(\d{1,4})\]/g)].flatMap(({ index, 1: number }) => {
    const passage = passages[Number(number) - 1];
    return passage === undefined ? [] : [citation(passage, index)];
  });
  if (cited.length > 0) return cited;
  const places = new Map(passages.map((passage) => [`${passage.page} ${passage.documentId}`, passage]));
  return [...places.values()].map((passage) => citation(passage, text.length));
}

function citation({ documentId, documentName, page }: FoundPassage, index: number): FileCitation {
  return { type: 'file_citation', index, file_id: documentId, filename: documentName, page: page ?? null };
}
