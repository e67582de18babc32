import { ADJECTIVES, type Lexicon } from './lexicon.ts';

const HEADWEAR: ReadonlySet<string> = new Set([
  'top hat',
  'woman’s hat',
  'crown',
  'graduation cap',
  'billed cap',
  'military helmet',
  'rescue worker’s helmet',
  'cowboy hat',
  'beanie',
  'wizard hat',
  'party hat',
  'santa hat',
  'chef hat',
  'pirate hat',
]);
const EYEWEAR: ReadonlySet<string> = new Set([
  'glasses',
  'sunglasses',
  'goggles',
  'face mask',
  'diving mask',
]);
const OTHER_WEAR: ReadonlySet<string> = new Set([
  'scarf',
  'necktie',
  'bow tie',
  'necklace',
  'sports medal',
  'military medal',
  '1st place medal',
  'ribbon',
  'stethoscope',
  'coat',
  'dress',
  't-shirt',
  'apron',
  'cape',
  'lab coat',
  'safety vest',
  'kimono',
  'skirt',
  'backpack',
  'running shirt',
  'sweater',
  'gloves',
  'jeans',
]);

/** Whether the thing is put on. */
export function isWorn(name: string): boolean {
  return HEADWEAR.has(name) || EYEWEAR.has(name) || OTHER_WEAR.has(name);
}

/**
 * Adds where a worn thing goes: after "add a hat" alone the model wavers between the head and a free corner, and paints neither.
 */
export function withPlaceOfWorn(tokens: readonly number[], lexicon: Lexicon): readonly number[] {
  const [verb = 0, ...rest] = tokens;
  const worn = lexicon.nameOf(rest.at(-1) ?? 0);
  if (lexicon.nameOf(verb) !== 'add' || !isWorn(worn)) return tokens;
  const between = rest.slice(0, -1);
  const wearerAt = between.findIndex((token) => isWearer(token, lexicon));
  const others = between.filter((_, at) => at !== wearerAt);
  if (!others.every((token) => ADJECTIVES.has(lexicon.kindOf(token)))) return tokens;
  const wearer = between.slice(0, wearerAt + 1);
  return dressed(wearer, [...between.slice(wearerAt + 1), ...rest.slice(-1)], lexicon);
}

/** "X holding a hat": a hat is not held but put on, and of a hat it is said best where it goes. */
export function withHeldPutOn(tokens: readonly number[], lexicon: Lexicon): readonly number[] {
  const at = tokens.findIndex((token) => ['holding', 'wearing'].includes(lexicon.nameOf(token)));
  const thing = tokens.slice(at + 1);
  const wearer = tokens.slice(0, at);
  // A thing that is not known is not held either.
  if (at > 0 && !thing.some((token) => lexicon.kindOf(token) === 'object')) return wearer;
  const isPlain = thing.slice(0, -1).every((token) => ADJECTIVES.has(lexicon.kindOf(token)));
  if (at === -1 || !isPlain || !isWorn(lexicon.nameOf(thing.at(-1) ?? 0))) return tokens;
  const verbs = wearer.filter((token) => ['add', 'change'].includes(lexicon.nameOf(token)));
  return dressed(wearer.slice(verbs.length), thing, lexicon);
}

function dressed(wearer: readonly number[], thing: readonly number[], lexicon: Lexicon): readonly number[] {
  const it = lexicon.grammarToken('it');
  if (HEADWEAR.has(lexicon.nameOf(thing.at(-1) ?? 0))) {
    const on = lexicon.grammarToken('on');
    return [lexicon.grammarToken('add'), ...thing, on, ...(wearer.length > 0 ? wearer : [it])];
  }
  const isNamed = wearer.length > 0 && !wearer.includes(it);
  return [...(isNamed ? wearer : []), lexicon.grammarToken('wearing'), ...thing];
}

function isWearer(token: number, lexicon: Lexicon): boolean {
  return lexicon.nameOf(token) === 'it' || lexicon.kindOf(token) === 'object';
}
