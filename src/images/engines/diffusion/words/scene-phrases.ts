import { ADJECTIVES, type Lexicon, type TokenKind } from './lexicon.ts';
import type { FoundPhrase } from './phrase-finder.ts';

// Things that a person sits on in order to move, and those that an animal sits on too.
const MOUNTS: ReadonlySet<string> = new Set([
  'horse',
  'horse face',
  'donkey',
  'camel',
  'two-hump camel',
  'elephant',
  'unicorn',
  'dragon',
  'carousel horse',
]);
const VEHICLES: ReadonlySet<string> = new Set([
  'bicycle',
  'motorcycle',
  'motor scooter',
  'kick scooter',
  'skateboard',
  'sled',
  'tractor',
]);
const ANIMALS = 'Animals & Nature';
// Small enough for a hand: nobody is in them.
const HAND_SIZED: ReadonlySet<string> = new Set([
  'mobile phone',
  'telephone',
  'telephone receiver',
  'microphone',
  'studio microphone',
  'megaphone',
  'loudspeaker',
  'camera',
  'video camera',
  'magnifying glass tilted left',
  'watch',
  'open book',
  'closed book',
  'newspaper',
  'trumpet',
  'flute',
  'umbrella',
]);
// What one looks into without being in it.
const LOOKED_INTO: ReadonlySet<string> = new Set([
  'mirror',
  'crystal ball',
  'telescope',
  'microscope',
  'laptop',
  'desktop computer',
  'television',
]);
// Too big to hold: "playing the piano".
const UNHELD: ReadonlySet<string> = new Set([
  'piano',
  'musical keyboard',
  'harp',
  'cello',
  'drum',
  'long drum',
  'soccer ball',
  'table',
  'desk',
  'laptop',
  'desktop computer',
  'television',
  'framed picture',
  'easel',
  'typewriter',
  'computer mouse',
  'window',
]);
// Things that are also the place where a scene stands: "on a table" is, "under the table" and "a table and two chairs" are not.
const FURNITURE: ReadonlySet<string> = new Set(['table', 'desk']);
const OFF_TABLE: ReadonlySet<string> = new Set(
  'next_to left_of right_of above below behind in_front between and with'.split(' '),
);
const FOLLOWING_KINDS: ReadonlySet<TokenKind> = new Set<TokenKind>(['moods', 'patterns']);

/** Puts an adjective that follows its thing before it: "a lamb sleeping", "the dog looks sad". */
export function withAdjectivesFirst(
  phrases: readonly FoundPhrase[],
  lexicon: Lexicon,
): readonly FoundPhrase[] {
  const read: FoundPhrase[] = [];
  for (const [position, phrase] of phrases.entries()) {
    const before = read.at(-1);
    const after = phrases[position + 1];
    const follows =
      FOLLOWING_KINDS.has(lexicon.kindOf(phrase.token)) &&
      before !== undefined &&
      lexicon.kindOf(before.token) === 'object' &&
      (after === undefined ||
        !canBeDescribed(lexicon.kindOf(after.token)) ||
        (isRightBefore(before, phrase) && !isRightBefore(phrase, after)));
    if (!follows) read.push(phrase);
    else {
      const start = startOfThing(read, lexicon);
      const isSaid = read.slice(start).some(({ token }) => token === phrase.token);
      if (!isSaid) read.splice(start, 0, phrase);
    }
  }
  return read;
}

/** Drops what is said of a thing that is not known: in "a man with a red qwxzv and a cat" the cat is not red. */
export function withoutOrphans(phrases: readonly FoundPhrase[], lexicon: Lexicon): readonly FoundPhrase[] {
  const isJoint = (phrase: FoundPhrase | undefined) =>
    phrase !== undefined && lexicon.kindOf(phrase.token) === 'relations';
  const owned = phrases.filter((phrase, position) => {
    const next = phrases.slice(position + 1).find(({ token }) => !ADJECTIVES.has(lexicon.kindOf(token)));
    const isOrphan = next?.isAfterUnknown === true && isJoint(next);
    return !isOrphan || !ADJECTIVES.has(lexicon.kindOf(phrase.token)) || isMood(phrase, lexicon);
  });
  return owned.filter(
    (phrase, position) =>
      lexicon.nameOf(phrase.token) !== 'and' || !phrase.isAfterUnknown || !isJoint(owned[position - 1]),
  );
}

function isMood({ token }: FoundPhrase, lexicon: Lexicon): boolean {
  return FOLLOWING_KINDS.has(lexicon.kindOf(token));
}

/** Says of clothes that they are worn, of a horse that it is ridden, and of a piano that it is not held. */
export function withFittingRelations(
  phrases: readonly FoundPhrase[],
  lexicon: Lexicon,
): readonly FoundPhrase[] {
  return phrases.map((phrase, position) => {
    if (lexicon.kindOf(phrase.token) !== 'relations') return phrase;
    const before = phrases[position - 1];
    const after = phrases.slice(position + 1).find(({ token }) => !ADJECTIVES.has(lexicon.kindOf(token)));
    // A rabbit out of a hat does not wear it.
    const isOut = /\bout of$/.test(phrase.text);
    if (before === undefined || after === undefined || isOut) return phrase;
    const relation = fittingRelation([before.token, phrase.token, after.token], lexicon);
    return relation === undefined ? phrase : { ...phrase, token: lexicon.grammarToken(relation) };
  });
}

/** A table that something is not on is a thing of its own. */
export function withFurniture(phrases: readonly FoundPhrase[], lexicon: Lexicon): readonly FoundPhrase[] {
  return phrases.map((phrase, position) => {
    const name = FURNITURE.has(phrase.text) ? phrase.text : 'table';
    const object = lexicon.objectToken(name);
    if (object === undefined || lexicon.nameOf(phrase.token) !== 'table') return phrase;
    if (lexicon.kindOf(phrase.token) !== 'settings') return phrase;
    const before = phrases[position - 1];
    const isPlace = before !== undefined && !OFF_TABLE.has(lexicon.nameOf(before.token));
    const isAlone = before === undefined || lexicon.kindOf(before.token) !== 'relations';
    const isFollowed = phrases[position + 1] !== undefined;
    return isPlace && !(isAlone && isFollowed) ? phrase : { ...phrase, token: object };
  });
}

function fittingRelation(
  [before, relation, after]: readonly [number, number, number],
  lexicon: Lexicon,
): string | undefined {
  if (lexicon.kindOf(before) !== 'object' || lexicon.kindOf(after) !== 'object') return undefined;
  const [wearer, word, thing] = [before, relation, after].map((token) => lexicon.nameOf(token));
  if (thing === undefined || wearer === undefined) return undefined;
  if (['with', 'in', 'holding'].includes(word ?? '') && lexicon.isWorn(thing) && !lexicon.isWorn(wearer))
    return 'wearing';
  const group = lexicon.groupOf(before);
  const isPerson = lexicon.isPerson(before) || group === 'Smileys & Emotion';
  const canRide = isPerson ? MOUNTS.has(thing) || VEHICLES.has(thing) : VEHICLES.has(thing);
  if (word === 'on' && (isPerson || group === ANIMALS) && canRide) return 'riding';
  if (word === 'in' && HAND_SIZED.has(thing)) return isPerson || group === ANIMALS ? 'holding' : undefined;
  if (word === 'in' && LOOKED_INTO.has(thing)) return 'next_to';
  return word === 'holding' && UNHELD.has(thing) ? 'next_to' : undefined;
}

function isRightBefore(one: FoundPhrase, other: FoundPhrase): boolean {
  return one.at + one.length === other.at;
}

function canBeDescribed(kind: TokenKind): boolean {
  return kind === 'object' || kind === 'background' || ADJECTIVES.has(kind);
}

function startOfThing(phrases: readonly FoundPhrase[], lexicon: Lexicon): number {
  let start = phrases.length - 1;
  while (start > 0 && ADJECTIVES.has(lexicon.kindOf(phrases[start - 1]?.token ?? 0))) start--;
  return start;
}
