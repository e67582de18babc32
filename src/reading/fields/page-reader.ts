import { decodeField } from './decode-field.ts';
import { decodeItems, decodeRows } from './decode-list.ts';
import type { FieldQuestion, FoundField, FoundOnPage, FoundRow, WordPlace } from './field-finder.ts';
import { FieldNetwork, NO_PLACE } from './field-network.ts';
import { type FieldScores, fieldScores } from './field-scores.ts';
import { fieldTexts } from './field-text.ts';
import type { FinderWeights } from './finder-weights.ts';
import { pagePieces } from './page-pieces.ts';
import { type PageStretch, stretchesOf } from './page-stretch.ts';
import { PieceVocabulary } from './piece-vocabulary.ts';

const FIELD_PIECES = 40;

/** Finds fields on pages: words to pieces, pieces through the network, scores to spans. */
export class PageReader {
  readonly #network: FieldNetwork;
  readonly #vocabulary: PieceVocabulary;
  readonly #temperature: number;

  private constructor(network: FieldNetwork, vocabulary: PieceVocabulary, temperature: number) {
    this.#network = network;
    this.#vocabulary = vocabulary;
    this.#temperature = temperature;
  }

  static async open(weights: FinderWeights): Promise<PageReader> {
    return new PageReader(
      await FieldNetwork.load(weights),
      new PieceVocabulary(weights.vocabulary),
      weights.temperature,
    );
  }

  async find(
    words: readonly WordPlace[],
    question: FieldQuestion,
    signal: AbortSignal,
  ): Promise<FoundOnPage> {
    const found: FoundOnPage[] = [];
    const vectors: Float32Array[] = [];
    for (const text of fieldTexts(question)) {
      signal.throwIfAborted();
      vectors.push(await this.#network.vectorOf(this.#vocabulary.encode(text, FIELD_PIECES)));
    }
    for (const stretch of stretchesOf(pagePieces(words, this.#vocabulary))) {
      signal.throwIfAborted();
      const features = [this.#vocabulary.begin, ...NO_PLACE, ...stretch.features];
      const scores = await this.#network.score(features, vectors);
      found.push(
        decode(fieldScores(scores, { fields: vectors.length, pieces: stretch.size }), question, {
          stretch,
          temperature: this.#temperature,
        }),
      );
    }
    return joined(found, question);
  }
}

function decode(
  scores: readonly FieldScores[],
  { fields, lists }: FieldQuestion,
  { stretch, temperature }: { readonly stretch: PageStretch; readonly temperature: number },
): FoundOnPage {
  const listed: (readonly FoundRow[])[] = [];
  let next = fields.length;
  for (const { columns } of lists) {
    const [own, ...others] = scores.slice(next, next + 1 + columns.length);
    next += 1 + columns.length;
    if (own === undefined) continue;
    const typed = others.map((one, index) => ({ type: columns[index]?.type ?? 'string', scores: one }));
    listed.push(columns.length === 0 ? decodeItems(own, stretch) : decodeRows(own, typed, stretch));
  }
  return {
    fields: scores.slice(0, fields.length).map((one) => decodeField(one, stretch, temperature)),
    lists: listed,
  };
}

/** Joins the answers of a page's stretches. */
function joined(found: readonly FoundOnPage[], { fields, lists }: FieldQuestion): FoundOnPage {
  return {
    fields: fields.map((_, index) => found.flatMap((one) => one.fields[index] ?? []).reduce(surer, UNTOLD)),
    lists: lists.map((_, index) => found.flatMap((one) => one.lists[index] ?? [])),
  };
}

const UNTOLD: FoundField = { none: 0, isTold: false, spans: [] };

/** The surer of two answers: a text wins over none; of two texts, or two nones, the likelier. */
export function surer(one: FoundField, other: FoundField): FoundField {
  if (one.isTold !== other.isTold) return one.isTold ? one : other;
  const sureness = ({ isTold, none, spans }: FoundField) => (isTold ? (spans[0]?.probability ?? 0) : none);
  return sureness(other) > sureness(one) ? other : one;
}
