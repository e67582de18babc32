import { ADJECTIVES, type Lexicon } from './lexicon.ts';

/**
 * Adds where a worn thing goes: after "add a hat" alone the model wavers between the head and a free corner, and paints neither.
 */
export function withPlaceOfWorn(tokens: readonly number[], lexicon: Lexicon): readonly number[] {
  const [verb = 0, ...rest] = tokens;
  const worn = lexicon.nameOf(rest.at(-1) ?? 0);
  if (lexicon.nameOf(verb) !== 'add' || !lexicon.isWorn(worn)) return tokens;
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
  if (at === -1 || !isPlain || !lexicon.isWorn(lexicon.nameOf(thing.at(-1) ?? 0))) return tokens;
  const verbs = wearer.filter((token) => ['add', 'change'].includes(lexicon.nameOf(token)));
  return dressed(wearer.slice(verbs.length), thing, lexicon);
}

function dressed(wearer: readonly number[], thing: readonly number[], lexicon: Lexicon): readonly number[] {
  const it = lexicon.grammarToken('it');
  if (lexicon.isHeadwear(lexicon.nameOf(thing.at(-1) ?? 0))) {
    const on = lexicon.grammarToken('on');
    return [lexicon.grammarToken('add'), ...thing, on, ...(wearer.length > 0 ? wearer : [it])];
  }
  const isNamed = wearer.length > 0 && !wearer.includes(it);
  return [...(isNamed ? wearer : []), lexicon.grammarToken('wearing'), ...thing];
}

function isWearer(token: number, lexicon: Lexicon): boolean {
  return lexicon.nameOf(token) === 'it' || lexicon.kindOf(token) === 'object';
}
