import type { ArrayFacts, Conjunction, Facts } from '../normalise/schema-node.ts';

/** The schemas that apply to the item at an index. `unevaluatedItems` applies if no other keyword in its scope does. */
export function itemSchemas(facts: readonly Facts[], index: number): Conjunction {
  const stated = facts.flatMap(({ array }) => statedSchema(array, index) ?? []);
  const unevaluated = facts.flatMap((own) => {
    const rule = own.array?.unevaluated;
    if (!rule) return [];
    const isEvaluated = facts.some(
      (other) =>
        rule.scope.includes(other) &&
        (statedSchema(other.array, index) ?? (other !== own && other.array?.unevaluated)),
    );
    return isEvaluated ? [] : [rule.schema];
  });
  return [...stated, ...unevaluated];
}

function statedSchema(array: ArrayFacts | undefined, index: number) {
  const prefix = array?.prefix ?? [];
  return index < prefix.length ? prefix[index] : array?.rest;
}
