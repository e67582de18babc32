/** A piece of a word: its id, its first character and the one after its last. */
export interface WordPart {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

interface Letter {
  readonly text: string;
  /** The character of the word that it came from. */
  readonly start: number;
  readonly end: number;
}

const LONGEST_PIECE = 18;
const ALPHANUMERIC = /^[\p{L}\p{N}]$/u;
const MARK = /^\p{Mn}$/u;

/** The pieces of words that the network knows. */
export class PieceVocabulary {
  readonly #ids: ReadonlyMap<string, number>;
  readonly #unknown: number;
  /** Stands before a text: "nothing". */
  readonly begin: number;
  readonly #end: number;

  /** One piece per line; the line number is the id. */
  constructor(file: string) {
    this.#ids = new Map(
      file
        .trimEnd()
        .split('\n')
        .map((piece, id) => [piece, id]),
    );
    this.#unknown = this.#idOf('[UNK]');
    this.begin = this.#idOf('[CLS]');
    this.#end = this.#idOf('[SEP]');
  }

  /** Cuts a word: a sign is a piece of its own, letters and digits are cut greedily from the left. */
  cut(word: string): readonly WordPart[] {
    const letters = lettersOf(word);
    const parts: WordPart[] = [];
    let start = 0;
    while (start < letters.length) {
      let end = start;
      while (ALPHANUMERIC.test(letters[end]?.text ?? '')) end += 1;
      if (end > start) this.#cutRun(letters.slice(start, end), parts);
      else
        parts.push(
          partOf(this.#ids.get(letters[start]?.text ?? '') ?? this.#unknown, letters.slice(start, start + 1)),
        );
      start = Math.max(end, start + 1);
    }
    return parts;
  }

  /** The ids of a text between begin and end marks, at most `most`. */
  encode(text: string, most: number): readonly number[] {
    const words = text.split(/\s+/).filter((word) => word !== '');
    const ids = [this.begin, ...words.flatMap((word) => this.cut(word).map(({ id }) => id))];
    return [...ids.slice(0, most - 1), this.#end];
  }

  #cutRun(run: readonly Letter[], parts: WordPart[]): void {
    let at = 0;
    while (at < run.length) {
      let stop = Math.min(run.length, at + LONGEST_PIECE);
      const idUpTo = () =>
        this.#ids.get(
          (at === 0 ? '' : '##') +
            run
              .slice(at, stop)
              .map(({ text }) => text)
              .join(''),
        );
      while (stop > at && idUpTo() === undefined) stop -= 1;
      const end = Math.max(stop, at + 1);
      parts.push(partOf(stop > at ? (idUpTo() ?? this.#unknown) : this.#unknown, run.slice(at, end)));
      at = end;
    }
  }

  #idOf(piece: string): number {
    const id = this.#ids.get(piece);
    if (id === undefined) throw new Error(`the vocabulary has no ${piece}`);
    return id;
  }
}

/** Small letters without accents; each remembers its character. */
function lettersOf(word: string): readonly Letter[] {
  const letters: Letter[] = [];
  let start = 0;
  for (const character of word) {
    const end = start + character.length;
    for (const text of character.normalize('NFKD').toLowerCase()) {
      if (!MARK.test(text)) letters.push({ text, start, end });
    }
    start = end;
  }
  return letters;
}

function partOf(id: number, letters: readonly Letter[]): WordPart {
  return { id, start: letters[0]?.start ?? 0, end: letters.at(-1)?.end ?? 0 };
}
