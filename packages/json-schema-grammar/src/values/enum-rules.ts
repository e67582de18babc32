import { literalDfa } from '../automata/literal-dfa.ts';
import { addDfaRules } from '../grammar/dfa-rules.ts';
import { type Alternative, type GrammarSymbol, rule, text } from '../grammar/grammar-builder.ts';
import { isArray, isObject, type Json } from '../terms/json.ts';
import type { Compilation } from './compilation.ts';

/** Above this many, scalar values share their beginnings in a trie. */
const MAX_LISTED = 4;

/** Exactly these values. */
export function valueAlternatives(
  values: readonly Json[],
  { grammar, builtin }: Compilation,
): readonly Alternative[] {
  const texts = [...new Set(values.filter(isScalar).map((value) => JSON.stringify(value)))];
  const nested = new Map(
    values.filter((value) => !isScalar(value)).map((value) => [JSON.stringify(value), value]),
  );
  const scalars =
    texts.length > MAX_LISTED
      ? [[rule(addDfaRules(grammar, literalDfa(texts), { writing: 'plain' }))]]
      : texts.map((scalar) => [text(scalar)]);
  return [...scalars, ...[...nested.values()].map((value) => valueSymbols(value, builtin.space))];
}

/** One value, with the optional space where a generated one may have it. */
export function valueSymbols(value: Json, space: GrammarSymbol): Alternative {
  if (isArray(value)) {
    return [
      text('['),
      ...value.flatMap((item, index) => [...separator(index, space), ...valueSymbols(item, space)]),
      text(']'),
    ];
  }
  if (!isObject(value)) return [text(JSON.stringify(value))];
  const members = Object.entries(value).flatMap(([key, member], index) => [
    ...separator(index, space),
    ...keySymbols(key, space),
    ...valueSymbols(member, space),
  ]);
  return [text('{'), ...members, text('}')];
}

/** What stands before an item: nothing before the first, a comma before the others. */
export function separator(index: number, space: GrammarSymbol): Alternative {
  return index === 0 ? [] : [text(','), space];
}

/** A named key up to its value. */
export function keySymbols(key: string, space: GrammarSymbol): Alternative {
  return [text(`${JSON.stringify(key)}:`), space];
}

function isScalar(value: Json): boolean {
  return !isArray(value) && !isObject(value);
}
