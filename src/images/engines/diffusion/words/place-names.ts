import { ADJECTIVES, type Lexicon } from './lexicon.ts';
import type { FoundPhrase } from './phrase-finder.ts';

// These say how it looks around a thing, even right before it: "a snowy hill".
const DESCRIBING: ReadonlySet<string> = new Set(
  'snowy rainy stormy grassy urban starry moonlit starlit cosmic arctic autumnal autumn winter spring underwater indoors'.split(
    ' ',
  ),
);
// Said of the whole, wherever they stand: "a lighthouse at night".
const OF_THE_WHOLE =
  /^(?:at|in|on|by|under|during|out|beneath) |^(?:underwater|indoors|downtown|snowing|raining)$/;
const TIMES: ReadonlySet<string> = new Set(['night', 'sunset', 'rain', 'sky', 'autumn']);

/** Keeps only the head of a name that is half a place: "rain boots" are boots, "a mountain road" is a road. */
export function withoutPlaceNames(phrases: readonly FoundPhrase[], lexicon: Lexicon): readonly FoundPhrase[] {
  return phrases.filter((phrase, position) => {
    const next = phrases[position + 1];
    if (next === undefined || next.at !== phrase.at + phrase.length) return true;
    const kinds = [phrase, next].map(({ token }) => lexicon.kindOf(token)).join(' of ');
    if (kinds === 'settings of object')
      return isListed(phrases, position, lexicon) || !isOfThing(phrase, next, lexicon);
    return kinds !== 'object of settings' || !isOfPlace(phrases, position, lexicon);
  });
}

/** "Cat beach sunset": words in a row, which are no names. */
function isListed(phrases: readonly FoundPhrase[], at: number, lexicon: Lexicon): boolean {
  const before = phrases[at - 1];
  const isNextTo = before !== undefined && before.at + before.length === phrases[at]?.at;
  return isNextTo && lexicon.kindOf(before.token) === 'object';
}

/** "Rain boots", "a park bench"; but "in the forest wolves howl". */
function isOfThing(place: FoundPhrase, thing: FoundPhrase, lexicon: Lexicon): boolean {
  if (lexicon.isWorn(lexicon.nameOf(thing.token))) return true;
  const isApart = place.isDefinite === true && thing.isPlural;
  return !isApart && !DESCRIBING.has(place.text) && !OF_THE_WHOLE.test(place.text);
}

/** "Down a mountain road"; but "a cat, beach" and "a fox on a hill at night". */
function isOfPlace(phrases: readonly FoundPhrase[], at: number, lexicon: Lexicon): boolean {
  const place = phrases[at + 1];
  const before = phrases.slice(0, at).findLast(({ token }) => !ADJECTIVES.has(lexicon.kindOf(token)));
  if (place === undefined || before === undefined) return false;
  const isWhole = OF_THE_WHOLE.test(place.text) || TIMES.has(lexicon.nameOf(place.token));
  const isAfterJoint = lexicon.kindOf(before.token) === 'relations' || lexicon.nameOf(before.token) === 'to';
  return isAfterJoint && !isWhole;
}
