import { repeatedHead, withOneQuality } from './edit-lists.ts';
import { rewritten } from './edit-rewrites.ts';
import { ADJECTIVES, type Lexicon, type TokenKind } from './lexicon.ts';
import type { FoundPhrase } from './phrase-finder.ts';
import { withHeldPutOn, withPlaceOfWorn } from './worn-things.ts';

const VERBS: ReadonlySet<string> = new Set(['add', 'remove', 'replace', 'change', 'move']);
const INTO: ReadonlySet<string> = new Set(['in', 'on', 'with', 'to', 'at_centre']);
// A night shows them already.
const IN_THE_NIGHT: ReadonlySet<string> = new Set(['star', 'crescent moon', 'full moon']);
const BESIDE_THINGS: ReadonlySet<TokenKind> = new Set<TokenKind>([...ADJECTIVES, 'background']);
const GIVING: ReadonlySet<string> = new Set(['holding', 'wearing']);
const SEVERAL = 2;

/** The changes that an edit asks for, each in the words of training; one of the background comes last. */
export function editTokens(
  phrases: readonly FoundPhrase[],
  { lexicon, references }: { readonly lexicon: Lexicon; readonly references: number },
): readonly number[] {
  const isOnePicture = references < SEVERAL;
  const all = clausesOf(phrases, { lexicon, isOnePicture });
  const found = isOnePicture ? all.flatMap((clause) => withOneQuality(clause, lexicon)) : all;
  const clauses = found.map((one) => {
    const clause = isOnePicture ? rewritten(one, lexicon) : one;
    const read = clauseTokens(clause, { lexicon, references });
    return withHeldPutOn(withPlaceOfWorn(read, lexicon), lexicon);
  });
  const said = clauses.filter((tokens) => tokens.length > 0);
  // At this word alone a picture stays as it is; without any word things vanish from it.
  if (said.length === 0) return [lexicon.grammarToken('it')];
  const isOfBackground = ([, second]: readonly number[]) => second === lexicon.grammarToken('background');
  const isBackgroundFirst = said.findIndex((tokens) => !isOfBackground(tokens)) === 1;
  const ordered = said.length === SEVERAL && isBackgroundFirst ? said.toReversed() : said;
  const and = lexicon.grammarToken('and');
  return ordered.flatMap((tokens, position) => (position === 0 ? tokens : [and, ...tokens]));
}

/** Splits where a verb begins a new change, and at "and" before somebody who is given something. */
function clausesOf(
  phrases: readonly FoundPhrase[],
  { lexicon, isOnePicture }: { readonly lexicon: Lexicon; readonly isOnePicture: boolean },
): readonly (readonly FoundPhrase[])[] {
  const nameAt = (position: number) => lexicon.nameOf(phrases[position]?.token ?? 0);
  const clauses: FoundPhrase[][] = [[]];
  for (const [position, phrase] of phrases.entries()) {
    const isBegun = (clauses.at(-1)?.length ?? 0) > 0;
    const isVerb = VERBS.has(nameAt(position));
    const isAnd = nameAt(position) === 'and' && isBegun;
    const hasVerb = VERBS.has(lexicon.nameOf(clauses.at(-1)?.[0]?.token ?? 0));
    const isGiven = hasVerb && GIVING.has(nameAt(position + 2));
    const last = clauses.at(-1) ?? [];
    const repeated =
      isAnd && isOnePicture ? repeatedHead(last, phrases.slice(position + 1), lexicon) : undefined;
    if (isAnd && (VERBS.has(nameAt(position + 1)) || isGiven)) clauses.push([]);
    else if (repeated !== undefined) clauses.push([...repeated]);
    else if (isVerb && isBegun) clauses.push([phrase]);
    else clauses.at(-1)?.push(phrase);
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
  const withAt = clause.findIndex(
    (phrase, at) => at > settingAt && lexicon.nameOf(phrase.token) === 'with' && clause[at + 1] !== undefined,
  );
  const settings = clause.slice(settingAt, withAt === -1 ? undefined : withAt);
  const extras = withAt === -1 ? [] : clause.slice(withAt + 1).map(({ token }) => token);
  const isInto = ({ token }: FoundPhrase) => INTO.has(lexicon.nameOf(token));
  const thing = clause.slice(1, settingAt);
  while (thing.length > 0 && thing.slice(-1).every(isInto)) thing.pop();
  const things = thing.filter((phrase) => kindOf(phrase) === 'object' || isIt(phrase, lexicon));
  const others = thing.filter((phrase) => !things.includes(phrase) && !BESIDE_THINGS.has(kindOf(phrase)));
  const isSettingOnly = settings.every((phrase) => kindOf(phrase) === 'settings' || isInto(phrase));
  if (things.length > 1 || others.length > 0 || !isSettingOnly) return undefined;
  const isThere = thing.some((phrase) => phrase.isDefinite === true || isIt(phrase, lexicon));
  const verb = lexicon.nameOf(clause[0]?.token ?? 0);
  if (verb === 'add' && things.length === 1 && !isThere) {
    return [...clause.slice(0, 1), ...thing].map(({ token }) => token);
  }
  const names = ['change', 'background', 'to'].map((name) => lexicon.grammarToken(name));
  const change = [
    ...names,
    ...settings.filter((phrase) => kindOf(phrase) === 'settings').map(({ token }) => token),
  ];
  const isSeen = extras.some((token) => IN_THE_NIGHT.has(lexicon.nameOf(token)));
  if (extras.length === 0 || isSeen) return change;
  return [lexicon.grammarToken('add'), ...extras, lexicon.grammarToken('and'), ...change];
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
