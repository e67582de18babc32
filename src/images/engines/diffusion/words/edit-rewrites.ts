import { isAdjective, isThing } from './clause.ts';
import { withoutBareThing, withSeveral } from './edit-lists.ts';
import { withPlacement } from './edit-placements.ts';
import type { Lexicon, TokenKind } from './lexicon.ts';
import type { FoundPhrase } from './phrase-finder.ts';
import { withAdjectivesFirst } from './scene-phrases.ts';

type Clause = readonly FoundPhrase[];
type Rewrite = (clause: Clause, lexicon: Lexicon) => Clause;

const PLACES: ReadonlySet<TokenKind> = new Set<TokenKind>(['background', 'settings']);
const PLACE_BESIDE: ReadonlyMap<string, string> = new Map([
  ['left_of', 'at_left'],
  ['right_of', 'at_right'],
  ['above', 'at_top'],
  ['below', 'at_bottom'],
]);

/** A change in the order and words that the model has learned, or nothing where what is changed is not known. */
export function rewritten(clause: Clause, lexicon: Lexicon): Clause {
  const rewrites: readonly Rewrite[] = [
    withMarking,
    withReplacement,
    withPlacement,
    withPlaceOnly,
    withMoodsFirst,
    withSeveral,
    withoutUnknownTarget,
    withoutBareThing,
  ];
  return rewrites.reduce((read, rewrite) => rewrite(read, lexicon), clause);
}

/** "Give the dog black spots", "add stripes to the cat": the thing is changed. */
function withMarking(clause: Clause, lexicon: Lexicon): Clause {
  const markingAt = clause.findIndex(({ token }, at) => {
    const next = clause.slice(at + 1).find((phrase) => !isAdjective(phrase, lexicon));
    const isOfNext = next !== undefined && isThing(next, lexicon);
    return lexicon.kindOf(token) === 'patterns' && !isOfNext;
  });
  const marking = clause[markingAt];
  const things = clause.filter((phrase) => isThing(phrase, lexicon));
  const [thing] = things;
  const isChange = ['add', 'change'].includes(verbOf(clause, lexicon)) || isThing(clause[0], lexicon);
  if (marking === undefined || thing === undefined || things.length > 1 || !isChange) return clause;
  const named = withItsAdjectives(clause, thing, lexicon).filter((phrase) => phrase !== marking);
  return [{ ...thing, token: lexicon.grammarToken('change') }, ...named, marking];
}

/** "Swap A for B", "turn A into B", "make it a B": one is replaced with the other; what is not known is not there to replace. */
function withReplacement(clause: Clause, lexicon: Lexicon): Clause {
  const verb = verbOf(clause, lexicon);
  const [first] = clause;
  const things = clause.filter((phrase) => isThing(phrase, lexicon));
  const one = things[0];
  const other = things.at(-1);
  if (first === undefined || one === undefined || other === undefined) return clause;
  const withAt = clause.findIndex(({ token }) => lexicon.nameOf(token) === 'with');
  if (verb === 'replace' && things.length === 1 && withAt === 1) {
    const added = withItsAdjectives(clause, other, lexicon);
    return [{ ...first, token: lexicon.grammarToken('add') }, ...added];
  }
  if (one === other || !(verb === 'replace' || (verb === 'change' && isTurning(clause, lexicon))))
    return clause;
  const before = withItsAdjectives(clause, one, lexicon);
  const after = withItsAdjectives(clause, other, lexicon);
  const isCount = after.some(({ token }) => lexicon.kindOf(token) === 'counts');
  // "Make it five ducks".
  if (isCount && verb === 'change')
    return [first, ...before, { ...first, token: lexicon.grammarToken('to') }, ...after];
  const [replace, joint] = ['replace', 'with'].map((name) => ({
    ...first,
    token: lexicon.grammarToken(name),
  }));
  return replace === undefined || joint === undefined ? clause : [replace, ...before, joint, ...after];
}

/** Whether nothing but "into" and the like stands before the last thing, which ends the clause. */
function isTurning(clause: Clause, lexicon: Lexicon): boolean {
  const last = clause.at(-1);
  const isEnd = last !== undefined && lexicon.kindOf(last.token) === 'object';
  const rest = clause.slice(1, -1).filter((phrase) => !isAdjective(phrase, lexicon));
  const joint = rest.at(-1);
  if (!isEnd || joint === undefined) return false;
  return isThing(joint, lexicon)
    ? rest.length === 1
    : joint.text === 'into' || lexicon.nameOf(joint.token) === 'to';
}

/** "Move the cat to the left of the door" names a thing; "move the cat down to the bottom left" only a place of the picture. */
function withPlaceOnly(clause: Clause, lexicon: Lexicon): Clause {
  const placeAt = clause.findIndex(
    ({ token }) => lexicon.kindOf(token) === 'places' || PLACE_BESIDE.has(lexicon.nameOf(token)),
  );
  const place = clause[placeAt];
  if (verbOf(clause, lexicon) !== 'move' || placeAt < 2 || place === undefined) return clause;
  const name = lexicon.nameOf(place.token);
  const isBesideThing = PLACE_BESIDE.has(name) && isThing(clause[placeAt + 1], lexicon);
  if (isBesideThing) return clause;
  return [
    ...clause.slice(0, placeAt),
    { ...place, token: lexicon.grammarToken(PLACE_BESIDE.get(name) ?? name) },
  ];
}

/** "Add a cat sleeping on the bed". */
function withMoodsFirst(clause: Clause, lexicon: Lexicon): Clause {
  return ['add', 'replace'].includes(verbOf(clause, lexicon)) ? withAdjectivesFirst(clause, lexicon) : clause;
}

/** "Change his hair to green": what is not known stays as it is, and the green does not go elsewhere. */
function withoutUnknownTarget(clause: Clause, lexicon: Lexicon): Clause {
  const [, target] = clause;
  const verb = verbOf(clause, lexicon);
  // What follows "to" is what it shall be, and does not say what it is.
  const isBare = target !== undefined && lexicon.nameOf(target.token) === 'to';
  const isKnown = clause.some(
    (phrase) => PLACES.has(lexicon.kindOf(phrase.token)) || (!isBare && isThing(phrase, lexicon)),
  );
  const isMissing = target === undefined ? verb === 'remove' : target.isAfterUnknown === true;
  return ['change', 'remove'].includes(verb) && isMissing && !isKnown ? [] : clause;
}

function withItsAdjectives(clause: Clause, thing: FoundPhrase, lexicon: Lexicon): Clause {
  const at = clause.indexOf(thing);
  let start = at;
  while (start > 0 && isAdjective(clause[start - 1], lexicon)) start--;
  return clause.slice(start, at + 1);
}

function verbOf(clause: Clause, lexicon: Lexicon): string {
  return lexicon.nameOf(clause[0]?.token ?? 0);
}
