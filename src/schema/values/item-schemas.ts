import type { Conjunction, Facts } from '../normalise/schema-node.ts';

/** What holds for the item at an index. `unevaluatedItems` speaks only where no other keyword does. */
export function itemSchemas(facts: readonly Facts[], index: number): Conjunction {
  const stated = facts.flatMap(
    ({ array }) => array?.prefix?.[index] ?? restAfter(array?.prefix, array?.rest),
  );
  if (stated.length > 0) return stated;
  return facts.flatMap(({ array }) => array?.unevaluated ?? []);

  function restAfter<Node>(
    prefix: readonly Node[] | undefined,
    rest: Node | undefined,
  ): Node | readonly Node[] {
    return rest !== undefined && index >= (prefix?.length ?? 0) ? rest : [];
  }
}
