import { ADJECTIVES, type Lexicon } from './lexicon.ts';
import type { FoundPhrase } from './phrase-finder.ts';

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
  const relation = { ...holder, token: lexicon.grammarToken(holder.holding), isPlural: false };
  const { holding: _, ...thing } = holder;
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

/** The first thing after the container that is not just the first half of a name ("chicken soup"). */
function heldBy(phrases: readonly FoundPhrase[], at: number, lexicon: Lexicon): FoundPhrase | undefined {
  for (const [position, phrase] of phrases.entries()) {
    if (position <= at || isAdjective(phrase, lexicon)) continue;
    if (lexicon.kindOf(phrase.token) !== 'object') return undefined;
    const next = phrases[position + 1];
    const isFirstHalf = next?.at === phrase.at + phrase.length && lexicon.kindOf(next.token) === 'object';
    if (!isFirstHalf) return phrase;
  }
  return undefined;
}

function isAdjective(phrase: FoundPhrase | undefined, lexicon: Lexicon): boolean {
  return phrase !== undefined && ADJECTIVES.has(lexicon.kindOf(phrase.token));
}
