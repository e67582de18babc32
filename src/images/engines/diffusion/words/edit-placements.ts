import type { Clause } from './clause.ts';
import { ADJECTIVES, type Lexicon } from './lexicon.ts';
import type { FoundPhrase } from './phrase-finder.ts';

// With "the", these move what is there; without it they add something.
const PUTTING: ReadonlySet<string> = new Set(['put', 'place', 'set', 'hang']);
// Where a new thing goes so that the one in the picture ends up on it, in it or behind it.
const OPPOSITES: ReadonlyMap<string, string> = new Map([
  ['on', 'below'],
  ['riding', 'below'],
  ['in', 'in_front'],
  ['behind', 'in_front'],
  ['in_front', 'behind'],
  ['above', 'below'],
  ['below', 'above'],
  ['left_of', 'right_of'],
  ['right_of', 'left_of'],
  ['next_to', 'next_to'],
]);
// What training says of a thing that is moved or added.
const PLACED: ReadonlyMap<string, string> = new Map([
  ['riding', 'on'],
  ['to', 'next_to'],
]);

/**
 * "Put the soap on the towel": what is there already goes there. "Put the soap on a towel": a towel is new and goes below it.
 */
export function withPlacement(clause: Clause, lexicon: Lexicon): Clause {
  const [verb] = clause;
  const thing = thingFrom(clause, 1, lexicon);
  const relation = clause[1 + thing.length];
  const other = thingFrom(clause, 2 + thing.length, lexicon);
  if (verb === undefined || relation === undefined || thing.length === 0 || other.length === 0) return clause;
  const verbName = lexicon.nameOf(verb.token);
  const isPut = verbName === 'add' && PUTTING.has(verb.text) && isThere(thing, lexicon);
  const named = (name: string) => ({ ...verb, token: lexicon.grammarToken(name) });
  const name = lexicon.nameOf(relation.token);
  if (lexicon.kindOf(relation.token) !== 'relations' && name !== 'to') return clause;
  const placed = named(PLACED.get(name) ?? name);
  if (verbName === 'move' || (isPut && isThere(other, lexicon))) {
    return [named('move'), ...thing, placed, ...clause.slice(2 + thing.length)];
  }
  if (isPut) return placedAround(thing, { verb, relation, other, lexicon }) ?? clause;
  // "Add a candle to the cake".
  const added = name === 'to' ? named('on') : placed;
  return verbName === 'add' && PLACED.has(name) ? clause.with(1 + thing.length, added) : clause;
}

/** Something new that is put on what is there, or goes around it. */
function placedAround(
  thing: Clause,
  {
    verb,
    relation,
    other,
    lexicon,
  }: {
    readonly verb: FoundPhrase;
    readonly relation: FoundPhrase;
    readonly other: Clause;
    readonly lexicon: Lexicon;
  },
): Clause | undefined {
  const name = lexicon.nameOf(relation.token);
  const named = (word: string) => ({ ...verb, token: lexicon.grammarToken(word) });
  const isDressed = name === 'in' && lexicon.isWorn(lexicon.nameOf(other.at(-1)?.token ?? 0));
  if (isDressed || name === 'wearing') return [...thing, named('wearing'), ...other];
  const opposite = OPPOSITES.get(name);
  return opposite === undefined ? undefined : [verb, ...other, named(opposite), ...thing];
}

/** The thing that begins there, with its adjectives. */
function thingFrom(clause: Clause, start: number, lexicon: Lexicon): Clause {
  const length = clause.slice(start).findIndex(({ token }) => !ADJECTIVES.has(lexicon.kindOf(token)));
  const thing = clause[start + length];
  const isThing =
    length !== -1 &&
    thing !== undefined &&
    (lexicon.kindOf(thing.token) === 'object' || lexicon.nameOf(thing.token) === 'it');
  return isThing ? clause.slice(start, start + length + 1) : [];
}

function isThere(thing: Clause, lexicon: Lexicon): boolean {
  return thing.some(({ token, isDefinite }) => isDefinite === true || lexicon.nameOf(token) === 'it');
}
