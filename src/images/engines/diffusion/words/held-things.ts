import { isAdjective } from './clause.ts';
import type { Lexicon } from './lexicon.ts';
import type { FoundPhrase } from './phrase-finder.ts';

// Drawn on a plate, in a bowl or in a pan of their own.
const DISHES: ReadonlySet<string> = new Set([
  'spaghetti',
  'curry rice',
  'cooked rice',
  'steaming bowl',
  'bowl of soup',
  'green salad',
  'pot of food',
  'shallow pan of food',
  'cooking',
  'fork and knife with plate',
]);

/**
 * Puts what a container holds before it: "a blue vase of tulips" becomes a tulip on a blue vase. One is painted; more would not
 * be visible.
 */
export function withHeldThingsFirst(
  phrases: readonly FoundPhrase[],
  lexicon: Lexicon,
): readonly FoundPhrase[] {
  const at = phrases.findIndex(({ holding }) => holding !== undefined);
  const holder = phrases[at];
  const held = heldBy(phrases, at, lexicon);
  if (holder?.holding === undefined || held === undefined) return phrases;
  let start = at;
  while (start > 0 && isAdjective(phrases[start - 1], lexicon)) start--;
  const end = phrases.indexOf(held) + 1;
  const { holding, ...thing } = holder;
  if (holding === 'alone') {
    return [...phrases.slice(0, at), thing, ...withHeldThingsFirst(phrases.slice(end), lexicon)];
  }
  if (DISHES.has(lexicon.nameOf(held.token)) && lexicon.nameOf(thing.token) === 'plate') {
    const dish = { ...held, isPlural: thing.isPlural };
    return [...phrases.slice(0, at), dish, ...withHeldThingsFirst(phrases.slice(end), lexicon)];
  }
  const relation = { ...holder, token: lexicon.grammarToken(holding), isPlural: false };
  return [
    ...phrases.slice(0, start),
    ...phrases.slice(at + 1, end - 1),
    { ...held, isPlural: false },
    relation,
    ...phrases.slice(start, at),
    thing,
    ...withHeldThingsFirst(phrases.slice(end), lexicon),
  ];
}

/** In edits a container and its content are one thing: "add a bottle of wine", "add a vase of tulips". */
export function withoutContainers(phrases: readonly FoundPhrase[], lexicon: Lexicon): readonly FoundPhrase[] {
  const at = phrases.findIndex(({ holding }) => holding !== undefined);
  const held = heldBy(phrases, at, lexicon);
  if (held === undefined || phrases[at]?.text.includes(' ')) return phrases;
  const end = phrases.indexOf(held);
  const rest = withoutContainers(phrases.slice(end + 1), lexicon);
  const isContainerSeen = phrases[at]?.holding === 'alone';
  return [
    ...phrases.slice(0, isContainerSeen ? at + 1 : at),
    ...(isContainerSeen ? [] : [{ ...held, isPlural: false }]),
    ...rest,
  ];
}

/** The first thing after the container that is not just the first half of a name ("chicken soup"). */
function heldBy(phrases: readonly FoundPhrase[], at: number, lexicon: Lexicon): FoundPhrase | undefined {
  for (const [position, phrase] of phrases.entries()) {
    if (position <= at || isAdjective(phrase, lexicon)) continue;
    if (at === -1 || phrase.isAfterUnknown || lexicon.kindOf(phrase.token) !== 'object') return undefined;
    const next = phrases[position + 1];
    const isFirstHalf = next?.at === phrase.at + phrase.length && lexicon.kindOf(next.token) === 'object';
    if (!isFirstHalf) return phrase;
  }
  return undefined;
}
