import {
  CONDITIONS,
  FUNCTION_WORDS,
  GENERAL_NOUNS,
  NEGATIONS,
  PLACING_WORDS,
  PREFERENCES_OVER,
  PRONOUNS,
  TURNING_WORDS,
} from './hint-words.ts';
import type { PartNames } from './part-names.ts';
import type { HintToken, Piece, Sentence } from './split-hint.ts';

/** Files and the pointers of the parts in them; without pointers, all parts. */
export interface Saying {
  readonly files: ReadonlySet<number>;
  readonly parts: ReadonlySet<string>;
}

/** A statement under construction. */
interface OpenSaying {
  readonly files: Set<number>;
  readonly parts: Set<string>;
  /** Which came first: the file or the part; `bare` if only files are mentioned. */
  readonly order: 'file' | 'part' | 'bare';
  /** Whether all of its words were understood. */
  readonly isPlain: boolean;
}

/** Reads which files a sentence assigns to which parts; ignores what it does not understand. */
export function readSentence(
  sentence: Sentence,
  before: Sentence | undefined,
  names: PartNames,
): readonly Saying[] {
  const words = sentence.flatMap(wordsIn);
  if (!sentence.some(hasFiles) || words.some((word) => CONDITIONS.has(word))) return [];
  const sayings = new SentenceReader(names).read(sentence);
  const refersBack = words.some((word) => PRONOUNS.has(word)) && before !== undefined;
  const meant = new Set(refersBack ? before.flatMap((piece) => [...names.namedBy(wordsIn(piece))]) : []);
  return sayings.map((saying) => (saying.parts.size === 0 ? { ...saying, parts: meant } : saying));
}

/** Reads the pieces of one sentence. */
class SentenceReader {
  readonly #names: PartNames;
  readonly #sayings: OpenSaying[] = [];
  /** Parts named before their file. */
  #waiting = new Set<string>();
  #wasDenied = false;

  constructor(names: PartNames) {
    this.#names = names;
  }

  read(sentence: Sentence): readonly Saying[] {
    for (const piece of sentence) this.#take(piece);
    const last = this.#sayings.at(-1);
    if (last !== undefined && last.order !== 'part' && !this.#wasDenied) this.#giveWaiting(last);
    return this.#sayings.filter(({ files, parts, isPlain }) => files.size > 0 && (parts.size > 0 || isPlain));
  }

  #take(piece: Piece): void {
    const words = wordsIn(piece);
    const parts = this.#names.namedBy(words);
    if (!hasFiles(piece)) {
      for (const part of parts) this.#waiting.add(part);
      return;
    }
    const files = this.#meantFiles(piece);
    const isBare = parts.size === 0 && words.every(saysNothing);
    const isDenied = files === undefined || (isBare && this.#wasDenied !== TURNING_WORDS.has(piece.joint));
    this.#wasDenied = isDenied;
    if (isDenied) {
      for (const part of parts) this.#waiting.add(part);
      return;
    }
    this.#say(piece, { files, parts, isBare });
  }

  #say(
    piece: Piece,
    {
      files,
      parts,
      isBare,
    }: { readonly files: ReadonlySet<number>; readonly parts: ReadonlySet<string>; readonly isBare: boolean },
  ): void {
    const last = this.#sayings.at(-1);
    const isMore =
      isBare && this.#waiting.size === 0 && wordsIn(piece).every((word) => PLACING_WORDS.has(word));
    if (isMore && last !== undefined) {
      // "In file 1 or file 2" and "in file 2, b.pdf".
      for (const file of files) last.files.add(file);
      return;
    }
    const order = parts.size === 0 ? 'bare' : this.#beginsWithFile(piece) ? 'file' : 'part';
    const saying: OpenSaying = { files: new Set(files), parts: new Set(parts), order, isPlain: isBare };
    if (order === 'file') {
      if (last?.order === 'file') this.#giveWaiting(last);
    } else if (last?.order !== 'file') this.#giveWaiting(saying);
    this.#waiting = new Set();
    this.#sayings.push(saying);
  }

  #giveWaiting({ parts }: OpenSaying): void {
    for (const part of this.#waiting) parts.add(part);
    this.#waiting = new Set();
  }

  #beginsWithFile({ tokens }: Piece): boolean {
    const first = tokens.findIndex(({ type }) => type === 'files');
    return this.#names.namedBy(tokens.slice(0, first).flatMap(wordOf)).size === 0;
  }

  /** The files of a piece without negated ones; undefined if all are negated. */
  #meantFiles(piece: Piece): ReadonlySet<number> | undefined {
    const meant = mentionsIn(piece).filter(
      ({ before, after }) =>
        !this.#denies(before) && !this.#denies(after) && !before.some((word) => PREFERENCES_OVER.has(word)),
    );
    return meant.length === 0 ? undefined : new Set(meant.flatMap(({ files }) => files));
  }

  /** "Invoice no" is a number, not a negation. */
  #denies(words: readonly string[]): boolean {
    return words.some((word, index) => {
      const isNumber = word === 'no' && index > 0 && this.#names.knows(words[index - 1] ?? '');
      return NEGATIONS.has(word) && !isNumber;
    });
  }
}

interface WordedMention {
  readonly files: readonly number[];
  /** The words since the previous mention. */
  readonly before: readonly string[];
  /** The words to the end of the piece, unless another mention follows. */
  readonly after: readonly string[];
}

function mentionsIn({ tokens }: Piece): readonly WordedMention[] {
  const positions = tokens.flatMap(({ type }, index) => (type === 'files' ? [index] : []));
  return positions.map((position, order) => {
    const token = tokens[position];
    return {
      files: token?.type === 'files' ? token.files : [],
      before: tokens.slice((positions[order - 1] ?? -1) + 1, position).flatMap(wordOf),
      after: order === positions.length - 1 ? tokens.slice(position + 1).flatMap(wordOf) : [],
    };
  });
}

/** Whether a word adds nothing to a mention of a file. */
function saysNothing(word: string): boolean {
  return FUNCTION_WORDS.has(word) || GENERAL_NOUNS.has(word);
}

function hasFiles({ tokens }: Piece): boolean {
  return tokens.some(({ type }) => type === 'files');
}

function wordsIn({ tokens }: Piece): readonly string[] {
  return tokens.flatMap(wordOf);
}

function wordOf(token: HintToken): readonly string[] {
  return token.type === 'word' ? [token.word] : [];
}
