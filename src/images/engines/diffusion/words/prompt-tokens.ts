import { editTokens } from './edit-clauses.ts';
import { withHeldThingsFirst, withoutContainers } from './held-things.ts';
import { withoutIdioms } from './idioms.ts';
import { ADJECTIVES, type Lexicon, type TokenKind } from './lexicon.ts';
import { withoutParts } from './parts.ts';
import { withoutTwins, withSexAndAge } from './people.ts';
import { type FoundPhrase, PhraseFinder } from './phrase-finder.ts';
import { withoutPlaceNames } from './place-names.ts';
import { withAdjectivesFirst, withFittingRelations, withFurniture, withoutOrphans } from './scene-phrases.ts';

/** Tokens the model reads; more have no effect. */
export const PROMPT_TOKENS = 24;
// How many words may be between a count and its object.
const COUNT_REACH = 3;
// The group of those that no colour was learned of; "a black woman" is a woman.
const PEOPLE = 'People & Body';
// Relations between a thing and a setting; others were trained between things only.
const SETTING_RELATIONS: ReadonlySet<string> = new Set(['on', 'in', 'with']);

/** A prompt as the model reads it. */
export interface PromptTokens {
  /** Padded with 0 to the model's length. */
  readonly tokens: readonly number[];
  /** Their names, for people. */
  readonly names: readonly string[];
  /** Words of the prompt that mean nothing to the model, each once. */
  readonly unknownWords: readonly string[];
}

/** Turns prompts into tokens: drops misleading ones and adds what a picture needs. */
export class PromptEncoder {
  readonly #lexicon: Lexicon;
  readonly #finder: PhraseFinder;

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
    this.#finder = new PhraseFinder(lexicon);
  }

  encode(
    prompt: string,
    { isEdit, references = 1 }: { readonly isEdit: boolean; readonly references?: number },
  ): PromptTokens {
    const { phrases: found, words, unknown } = this.#finder.find(withoutIdioms(prompt, { isEdit }));
    const named = withoutParts(withoutPlaceNames(found, this.#lexicon), this.#lexicon);
    const phrases = withSexAndAge(named, { words, lexicon: this.#lexicon });
    const tokens = isEdit ? this.#editTokens(phrases, references) : this.#sceneTokens(phrases);
    return {
      tokens: [...tokens, ...new Array<number>(PROMPT_TOKENS - tokens.length).fill(0)],
      names: tokens.map((token) => this.#lexicon.nameOf(token)),
      unknownWords: unknown,
    };
  }

  #editTokens(phrases: readonly FoundPhrase[], references: number): readonly number[] {
    const fitting = withFittingRelations(withoutContainers(phrases, this.#lexicon), this.#lexicon);
    const kept = fitting.filter((phrase, position) => !this.#misleads(phrase, fitting[position + 1]));
    const tokens: number[] = [];
    for (const token of editTokens(kept, { lexicon: this.#lexicon, references })) this.#add(tokens, token);
    return this.#withBareBackground(tokens.slice(0, PROMPT_TOKENS));
  }

  /** Without a background a white one is meant; adding it keeps the model from inventing a tint. */
  #sceneTokens(found: readonly FoundPhrase[]): readonly number[] {
    const owned = withoutOrphans(found, this.#lexicon);
    const things = withFurniture(withHeldThingsFirst(owned, this.#lexicon), this.#lexicon);
    const ordered = withAdjectivesFirst(things, this.#lexicon);
    const phrases = withoutTwins(withFittingRelations(ordered, this.#lexicon), this.#lexicon);
    const tokens: number[] = [];
    for (const [position, phrase] of phrases.entries()) {
      const isEditVerb = this.#lexicon.kindOf(phrase.token) === 'edits';
      if (isEditVerb || this.#misleads(phrase, phrases[position + 1])) continue;
      this.#addToScene(tokens, phrase);
    }
    const read = this.#withoutLooseEnds(tokens.slice(0, PROMPT_TOKENS));
    const hasBackground = read.some((token) => this.#isKind(token, 'background', 'settings'));
    return hasBackground ? read : [...read.slice(0, PROMPT_TOKENS - 1), this.#lexicon.grammarToken('plain')];
  }

  /** A shade without a colour, a colour of a person, and all but the head of "chicken soup". */
  #misleads({ token, at, length }: FoundPhrase, next: FoundPhrase | undefined): boolean {
    const nextKind = next === undefined ? undefined : this.#lexicon.kindOf(next.token);
    const kind = this.#lexicon.kindOf(token);
    if (kind === 'shades') return nextKind !== 'colours';
    if (kind === 'colours') return next !== undefined && this.#lexicon.groupOf(next.token) === PEOPLE;
    return kind === 'object' && nextKind === 'object' && next?.at === at + length;
  }

  #addToScene(tokens: number[], { token, isPlural }: FoundPhrase): void {
    const isObject = this.#isKind(token, 'object');
    const isCounted = tokens.slice(-COUNT_REACH).some((earlier) => this.#isKind(earlier, 'counts'));
    // A plural without a number becomes three.
    if (isObject && isPlural && !isCounted) {
      let start = tokens.length;
      while (start > 0 && ADJECTIVES.has(this.#lexicon.kindOf(tokens[start - 1] ?? 0))) start--;
      tokens.splice(start, 0, this.#lexicon.grammarToken('three'));
    }
    this.#add(tokens, token);
    if (isObject) this.#joinToObjectBefore(tokens);
  }

  /** A setting surrounds things: "flying over a city" was never trained as a relation between two objects. */
  #add(tokens: number[], token: number): void {
    const last = tokens.at(-1);
    const isAmiss =
      last !== undefined &&
      this.#isKind(token, 'settings') &&
      this.#isKind(last, 'relations') &&
      !SETTING_RELATIONS.has(this.#lexicon.nameOf(last));
    if (isAmiss) tokens[tokens.length - 1] = this.#lexicon.grammarToken('in');
    tokens.push(token);
  }

  /** Joins two objects with only adjectives between them ("a knight fights a dragon", the verb unknown) with "and". */
  #joinToObjectBefore(tokens: number[]): void {
    let at = tokens.length - 2;
    while (at >= 0 && ADJECTIVES.has(this.#lexicon.kindOf(tokens[at] ?? 0))) at--;
    const isObject = at >= 0 && this.#isKind(tokens[at] ?? 0, 'object');
    if (isObject) tokens.splice(at + 1, 0, this.#lexicon.grammarToken('and'));
  }

  /** Drops relations without a known object: "a girl with long black hair" is a girl. */
  #withoutLooseEnds(tokens: readonly number[]): readonly number[] {
    let hasEnd = false;
    const isTied = (token: number) => {
      const kind = this.#lexicon.kindOf(token);
      if (kind !== 'relations' && !ADJECTIVES.has(kind)) {
        hasEnd = kind !== 'places';
        return true;
      }
      const isKept = hasEnd;
      // "Red and blue": both belong to what follows.
      if (kind === 'relations' && this.#lexicon.nameOf(token) !== 'and') hasEnd = false;
      return isKept;
    };
    const tied = tokens.toReversed().filter(isTied).toReversed();
    if (this.#lexicon.nameOf(tied[0] ?? 0) === 'and' || this.#hasLooseStart(tied)) tied.shift();
    return tied.length > 0 ? tied : tokens;
  }

  /** "In a bottle", of a letter that is not known: but "in a forest" says where. */
  #hasLooseStart(tokens: readonly number[]): boolean {
    const [first = 0, ...rest] = tokens;
    const next = rest.find((token) => !ADJECTIVES.has(this.#lexicon.kindOf(token)));
    return this.#isKind(first, 'relations') && next !== undefined && this.#isKind(next, 'object');
  }

  /** "Remove the background" was trained less than its meaning, so that is used instead. */
  #withBareBackground(tokens: readonly number[]): readonly number[] {
    const remove = this.#lexicon.grammarToken('remove');
    const background = this.#lexicon.grammarToken('background');
    const at = tokens.findIndex((token, index) => token === remove && tokens[index + 1] === background);
    return at === -1 ? tokens : tokens.with(at, this.#lexicon.grammarToken('white'));
  }

  #isKind(token: number, ...kinds: readonly TokenKind[]): boolean {
    return kinds.includes(this.#lexicon.kindOf(token));
  }
}
