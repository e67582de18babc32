import { type Clause, isAdjective, isThing } from './clause.ts';
import type { Lexicon, TokenKind } from './lexicon.ts';
import type { FoundPhrase } from './phrase-finder.ts';

const OF_A_THING: ReadonlySet<TokenKind> = new Set<TokenKind>([
  'colours',
  'shades',
  'sizes',
  'moods',
  'patterns',
]);
// How a size is asked for in an edit.
const SIZES: ReadonlyMap<string, string> = new Map([
  ['large', 'bigger'],
  ['small', 'smaller'],
]);
const JOINTS: ReadonlySet<string> = new Set(['and', 'with']);
const GIVING: ReadonlySet<string> = new Set(['holding', 'wearing']);
const PUT = 'put';

/** The words that a clause repeats after "and": "add a cat and (add) a dog", "give him a hat and (give him) a scarf". */
export function repeatedHead(clause: Clause, rest: Clause, lexicon: Lexicon): Clause | undefined {
  const nameAt = (at: number) => lexicon.nameOf(clause[at]?.token ?? 0);
  const next = rest.find((phrase) => !isAdjective(phrase, lexicon));
  if (nameAt(0) === 'change') {
    const isOfOther = isThing(rest[0], lexicon) && isQuality(rest[1], lexicon);
    return isOfOther ? clause.slice(0, 1) : undefined;
  }
  const length = GIVING.has(nameAt(1)) ? 2 : 1;
  const isOne = ['add', 'remove'].includes(nameAt(0));
  const isPut = isOne && clause[0]?.text === PUT;
  const [thing, ...others] = clause.slice(length).filter((phrase) => !isAdjective(phrase, lexicon));
  const isPlacedAnew = isOne && isBeside(others, rest, lexicon);
  const isThingOnly = (others.length === 0 || isPlacedAnew) && isThing(thing, lexicon);
  const isRepeated = isThingOnly && next !== undefined && lexicon.kindOf(next.token) === 'object';
  // "Add a dog and a crown" does not say whose crown.
  const isUnowned = length === 1 && isWornThing(next, lexicon) && !isWornThing(thing, lexicon);
  if (isUnowned && !isPlacedAnew) return undefined;
  return isRepeated && ((isOne && (!isPut || isPlacedAnew)) || length > 1)
    ? clause.slice(0, length)
    : undefined;
}

/** "(Put a cap) on the dog and (a scarf) on the cat": each has a place of its own. */
function isBeside(place: Clause, rest: Clause, lexicon: Lexicon): boolean {
  const isRelation = (phrase: FoundPhrase | undefined) =>
    phrase !== undefined && lexicon.kindOf(phrase.token) === 'relations';
  const next = rest.findIndex((phrase) => isThing(phrase, lexicon));
  return (
    place.length === 2 && isRelation(place[0]) && isThing(place[1], lexicon) && isRelation(rest[next + 1])
  );
}

/** One change for each of several qualities: "make the dragon green and smaller". */
export function withOneQuality(clause: Clause, lexicon: Lexicon): readonly Clause[] {
  const [verb, ...rest] = clause;
  const thingAt = rest.findIndex((phrase) => isThing(phrase, lexicon));
  const thing = rest[thingAt];
  if (verb === undefined || lexicon.nameOf(verb.token) !== 'change' || thing === undefined) return [clause];
  const said = rest.slice(thingAt + 1).filter(({ token }) => !JOINTS.has(lexicon.nameOf(token)));
  if (!rest.slice(0, thingAt).every((phrase) => isAdjective(phrase, lexicon))) return [clause];
  if (said.length === 0 || !said.every((phrase) => isQuality(phrase, lexicon))) return [clause];
  const it = { ...thing, token: lexicon.grammarToken('it') };
  return qualitiesOf(said, lexicon).map((quality, at) =>
    at === 0 ? [...clause.slice(0, thingAt + 2), ...quality] : [verb, it, ...quality],
  );
}

/** A thing alone asks for nothing ("close the laptop"); "the dragon bigger" is a change. */
export function withoutBareThing(clause: Clause, lexicon: Lexicon): Clause {
  const kept = withoutLooseEnd(clause, lexicon);
  const [first, ...rest] = kept;
  if (first === undefined) return kept;
  if (lexicon.nameOf(first.token) === 'change') {
    const isThere = (phrase: FoundPhrase) =>
      phrase.isDefinite === true || lexicon.nameOf(phrase.token) === 'it';
    const isNothingSaid = rest.every((phrase) => isThing(phrase, lexicon) && isThere(phrase));
    return isNothingSaid ? [] : kept;
  }
  if (first.isDefinite !== true || lexicon.kindOf(first.token) !== 'object') return kept;
  if (rest.length === 0) return [];
  const isChange = rest.every((phrase) => isQuality(phrase, lexicon));
  return isChange ? [{ ...first, token: lexicon.grammarToken('change') }, ...kept] : kept;
}

/** Several things without a number are three: "add some birds". */
export function withSeveral(clause: Clause, lexicon: Lexicon): Clause {
  const at = clause.findIndex(({ token }) => lexicon.kindOf(token) === 'object');
  const thing = clause[at];
  if (thing === undefined || !thing.isPlural || lexicon.nameOf(clause[0]?.token ?? 0) !== 'add')
    return clause;
  const before = clause.slice(1, at);
  const isNew = before.every((phrase) => isAdjective(phrase, lexicon) && phrase.isDefinite !== true);
  const isCounted = before.some(({ token }) => lexicon.kindOf(token) === 'counts');
  if (!isNew || isCounted || thing.isDefinite === true) return clause;
  const three = { ...thing, token: lexicon.grammarToken('three'), isPlural: false };
  return [...clause.slice(0, 1), three, ...clause.slice(1)];
}

/** Each quality: a shade stays with its colour, spots lose theirs, and a size becomes "bigger" or "smaller". */
function qualitiesOf(said: Clause, lexicon: Lexicon): readonly Clause[] {
  const qualities: FoundPhrase[][] = [];
  for (const [at, phrase] of said.entries()) {
    const kindAt = (place: number) => lexicon.kindOf(said[place]?.token ?? 0);
    const size = SIZES.get(lexicon.nameOf(phrase.token));
    const read = size === undefined ? phrase : { ...phrase, token: lexicon.grammarToken(size) };
    const isOfSpots = ['colours', 'shades'].includes(kindAt(at)) && kindAt(at + 1) === 'patterns';
    if (isOfSpots) continue;
    if (kindAt(at - 1) === 'shades') qualities.at(-1)?.push(read);
    else qualities.push([read]);
  }
  return qualities;
}

function withoutLooseEnd(clause: Clause, lexicon: Lexicon): Clause {
  const last = clause.at(-1);
  const isLoose = last !== undefined && clause.length > 1 && lexicon.kindOf(last.token) === 'relations';
  return isLoose ? withoutLooseEnd(clause.slice(0, -1), lexicon) : clause;
}

function isWornThing(phrase: FoundPhrase | undefined, lexicon: Lexicon): boolean {
  return phrase !== undefined && lexicon.isWorn(lexicon.nameOf(phrase.token));
}

function isQuality(phrase: FoundPhrase | undefined, lexicon: Lexicon): boolean {
  if (phrase === undefined) return false;
  return (
    OF_A_THING.has(lexicon.kindOf(phrase.token)) ||
    ['bigger', 'smaller'].includes(lexicon.nameOf(phrase.token))
  );
}
