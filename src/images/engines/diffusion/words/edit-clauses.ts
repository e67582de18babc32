import { ADJECTIVES, type Lexicon } from './lexicon.ts';
import type { FoundPhrase } from './phrase-finder.ts';
import { withHeldPutOn, withPlaceOfWorn } from './worn-things.ts';

const VERBS: ReadonlySet<string> = new Set(['add', 'remove', 'replace', 'change', 'move']);
const INTO: ReadonlySet<string> = new Set(['in', 'on', 'with', 'to', 'at_centre']);
const SEVERAL = 2;

/** The changes that an edit asks for, each in the words of training; one of the background comes last. */
export function editTokens(
  phrases: readonly FoundPhrase[],
  { lexicon, references }: { readonly lexicon: Lexicon; readonly references: number },
): readonly number[] {
  const clauses = clausesOf(phrases, lexicon).map(({ joint, phrases: clause }) => {
    const read = clauseTokens(clause, { lexicon, references });
    return { joint, tokens: withHeldPutOn(withPlaceOfWorn(read, lexicon), lexicon) };
  });
  const isOfBackground = ({ tokens: [, second] }: { tokens: readonly number[] }) =>
    second === lexicon.grammarToken('background');
  const first = clauses.findIndex((clause) => !isOfBackground(clause));
  if (clauses.length !== SEVERAL || first !== 1) {
    return clauses.flatMap(({ joint, tokens }) => [...joint, ...tokens]);
  }
  const and = lexicon.grammarToken('and');
  return [...(clauses[1]?.tokens ?? []), and, ...(clauses[0]?.tokens ?? [])];
}

interface Clause {
  readonly joint: readonly number[];
  readonly phrases: readonly FoundPhrase[];
}

/** Splits where an "and" is followed by a verb, or a verb alone begins a new clause. */
function clausesOf(phrases: readonly FoundPhrase[], lexicon: Lexicon): readonly Clause[] {
  const clauses: { joint: number[]; phrases: FoundPhrase[] }[] = [{ joint: [], phrases: [] }];
  for (const [position, phrase] of phrases.entries()) {
    const name = lexicon.nameOf(phrase.token);
    const next = lexicon.nameOf(phrases[position + 1]?.token ?? 0);
    const current = clauses.at(-1);
    if (name === 'and' && VERBS.has(next)) clauses.push({ joint: [phrase.token], phrases: [] });
    else if (VERBS.has(name) && (current?.phrases.length ?? 0) > 0) {
      clauses.push({ joint: [], phrases: [phrase] });
    } else current?.phrases.push(phrase);
  }
  return clauses;
}

function clauseTokens(
  clause: readonly FoundPhrase[],
  { lexicon, references }: { readonly lexicon: Lexicon; readonly references: number },
): readonly number[] {
  const tokens = clause.map(({ token }) => token);
  const [verb] = clause;
  if (verb === undefined || !['add', 'move', 'change'].includes(lexicon.nameOf(verb.token))) return tokens;
  return (
    withOtherSetting(clause, lexicon) ??
    (references >= SEVERAL ? withSeveralPictures(clause, lexicon) : undefined) ??
    tokens
  );
}

/** "Put it on a beach" and "make it winter" change the background; "add a shark in the water" adds a shark. */
function withOtherSetting(clause: readonly FoundPhrase[], lexicon: Lexicon): readonly number[] | undefined {
  const kindOf = (phrase: FoundPhrase) => lexicon.kindOf(phrase.token);
  const settingAt = clause.findIndex((phrase) => kindOf(phrase) === 'settings');
  if (settingAt === -1) return undefined;
  const settings = clause.slice(settingAt);
  const isInto = ({ token }: FoundPhrase) => INTO.has(lexicon.nameOf(token));
  const thing = clause.slice(1, settingAt);
  while (thing.length > 0 && thing.slice(-1).every(isInto)) thing.pop();
  const things = thing.filter((phrase) => kindOf(phrase) === 'object' || isIt(phrase, lexicon));
  const others = thing.filter((phrase) => !things.includes(phrase) && !ADJECTIVES.has(kindOf(phrase)));
  const isSettingOnly = settings.every((phrase) => kindOf(phrase) === 'settings' || isInto(phrase));
  if (things.length > 1 || others.length > 0 || !isSettingOnly) return undefined;
  const isThere = thing.some((phrase) => phrase.isDefinite === true || isIt(phrase, lexicon));
  const verb = lexicon.nameOf(clause[0]?.token ?? 0);
  if (verb === 'add' && things.length === 1 && !isThere) {
    return [...clause.slice(0, 1), ...thing].map(({ token }) => token);
  }
  const names = ['change', 'background', 'to'].map((name) => lexicon.grammarToken(name));
  return [...names, ...settings.filter((phrase) => kindOf(phrase) === 'settings').map(({ token }) => token)];
}

/** "Put the key in front of the door": each is in a picture of its own, and none is added. */
function withSeveralPictures(
  clause: readonly FoundPhrase[],
  lexicon: Lexicon,
): readonly number[] | undefined {
  const [verb, thing, ...rest] = clause;
  if (verb === undefined || thing === undefined || lexicon.nameOf(verb.token) !== 'add') return undefined;
  const tokens = rest.map(({ token }) => token);
  const [from = 0, relation = 0] = tokens;
  // The thing of the first picture is named by what it is.
  if (lexicon.nameOf(from) === 'image_1' && lexicon.kindOf(relation) === 'relations') {
    return [verb.token, thing.token, ...tokens.slice(1)];
  }
  const isPlaced = lexicon.kindOf(from) === 'relations' && lexicon.kindOf(relation) === 'object';
  const isThere = thing.isDefinite === true && rest[1]?.isDefinite === true;
  return isPlaced && isThere && rest.length === SEVERAL ? [thing.token, ...tokens] : undefined;
}

function isIt(phrase: FoundPhrase, lexicon: Lexicon): boolean {
  return lexicon.nameOf(phrase.token) === 'it';
}
