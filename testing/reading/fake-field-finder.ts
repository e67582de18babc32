import type {
  FieldFinder,
  FieldQuestion,
  FoundField,
  FoundOnPage,
  FoundSpan,
  WordPlace,
} from '../../src/reading/fields/field-finder.ts';

/** Answers of a network by dotted name: the words of a value with their probability, or the rows of a list. */
export interface FakeAnswers {
  readonly fields?: Readonly<Record<string, readonly (readonly [text: string, probability: number])[]>>;
  readonly lists?: Readonly<Record<string, readonly (readonly (string | undefined)[])[]>>;
}

const SURE = 0.99;

/** Points at words by script; fields that it has no answer for are not told. */
export class FakeFieldFinder implements FieldFinder {
  readonly lifecycle = { state: 'ready' as const, ready: async () => {} };
  readonly asked: FieldQuestion[] = [];
  readonly #answers: FakeAnswers;

  constructor(answers: FakeAnswers) {
    this.#answers = answers;
  }

  async find(words: readonly WordPlace[], question: FieldQuestion): Promise<FoundOnPage> {
    this.asked.push(question);
    const { fields = {}, lists = {} } = this.#answers;
    return {
      fields: question.fields.map(({ name }) => foundField(words, fields[name] ?? [])),
      lists: question.lists.map(({ name }) =>
        (lists[name] ?? []).map((row) =>
          row.map((text) => (text === undefined ? undefined : spanOf(words, text, SURE))),
        ),
      ),
    };
  }
}

function foundField(words: readonly WordPlace[], told: readonly (readonly [string, number])[]): FoundField {
  const spans = told.flatMap(([text, probability]) => spanOf(words, text, probability) ?? []);
  const [best] = spans;
  const none = 1 - (best?.probability ?? 0);
  return { none, isTold: best !== undefined && best.probability > none, spans };
}

/** The first words that spell the text; other words may stand between them. */
function spanOf(words: readonly WordPlace[], text: string, probability: number): FoundSpan | undefined {
  let from = 0;
  const found = text.split(' ').flatMap((wanted) => {
    const word = words.findIndex((one, index) => index >= from && one.text === wanted);
    from = word + 1;
    return word < 0 ? [] : [{ word, start: 0, end: wanted.length }];
  });
  return found.length === text.split(' ').length ? { text, words: found, probability } : undefined;
}
