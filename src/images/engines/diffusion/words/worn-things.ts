import { ADJECTIVES, type Lexicon } from './lexicon.ts';

const HEADWEAR: ReadonlySet<string> = new Set([
  'top hat',
  'woman’s hat',
  'crown',
  'graduation cap',
  'billed cap',
  'military helmet',
  'rescue worker’s helmet',
]);
const EYEWEAR: ReadonlySet<string> = new Set(['glasses', 'sunglasses', 'goggles']);

/**
 * Adds where a worn thing goes: after "add a hat" alone the model wavers between the head and a free corner, and paints neither.
 */
export function withPlaceOfWorn(tokens: readonly number[], lexicon: Lexicon): readonly number[] {
  const [verb = 0, ...rest] = tokens;
  const worn = rest.at(-1) ?? 0;
  const [isHeadwear, isEyewear] = [HEADWEAR, EYEWEAR].map((names) => names.has(lexicon.nameOf(worn)));
  if (lexicon.nameOf(verb) !== 'add' || !(isHeadwear || isEyewear)) return tokens;
  const between = rest.slice(0, -1);
  const it = lexicon.grammarToken('it');
  const wearerAt = between.findIndex((token) => token === it || lexicon.kindOf(token) === 'object');
  const others = between.filter((_, at) => at !== wearerAt);
  if (!others.every((token) => ADJECTIVES.has(lexicon.kindOf(token)))) return tokens;
  const thing = [...between.slice(wearerAt + 1), worn];
  if (isEyewear) return [lexicon.grammarToken('wearing'), ...thing];
  const wearer = wearerAt === -1 ? [it] : between.slice(0, wearerAt + 1);
  return [verb, ...thing, lexicon.grammarToken('on'), ...wearer];
}
