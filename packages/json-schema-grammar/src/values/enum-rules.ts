import { literalDfa } from '../automata/literal-dfa.ts';
import { addDfaRules } from '../grammar/dfa-rules.ts';
import { type Alternative, type GrammarSymbol, rule, text } from '../grammar/grammar-builder.ts';
import { isArray, isObject, type Json } from '../terms/json.ts';
import type { Compilation } from './compilation.ts';

/** Above this many, scalar values become an automaton that shares prefixes. */
const MAX_LISTED = 4;

/** Alternatives for exactly these values. */
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

/** The symbols of one value, with the optional spaces that generated values have. */
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

/** The separator before an item: empty before the first, else a comma. */
export function separator(index: number, space: GrammarSymbol): Alternative {
  return index === 0 ? [] : [text(','), space];
}

/** A key and the colon before its value. */
export function keySymbols(key: string, space: GrammarSymbol): Alternative {
  return [text(`${JSON.stringify(key)}:`), space];
}

function isScalar(value: Json): boolean {
  return !isArray(value) && !isObject(value);
}
