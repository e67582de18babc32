import { belongsTo, type TypeName } from '../terms/json.ts';
import type { Choice, Conjunction, Facts, NodePart } from './schema-node.ts';

/** What a conjunction says, with everything included: facts, and choices still open. */
export type Item = Facts | Choice;

/** Takes in what a conjunction includes; each fact and choice is kept once, in the order of the schema. */
export function flatten(conjunction: Conjunction): readonly Item[] {
  const [first] = conjunction;
  // Most conjunctions are one schema that includes no other.
  if (first && conjunction.length === 1 && first.parts.every(isItem)) return first.parts;
  const items = new Map<number, Item>();
  const seen = new Set<NodePart>();
  const waiting = [...conjunction].reverse();
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const included: NodePart[] = [];
    for (const part of node.parts) {
      if (seen.has(part)) continue;
      seen.add(part);
      if (part.type === 'inclusion') included.push(part);
      else items.set(part.id, part);
    }
    for (const part of included.reverse()) if (part.type === 'inclusion') waiting.push(part.target());
  }
  return [...items.values()];
}

function isItem(part: NodePart): part is Item {
  return part.type !== 'inclusion';
}

/** The types all facts agree on; undefined when none speaks of types. */
export function agreedTypes(facts: readonly Item[]): ReadonlySet<TypeName> | undefined {
  let agreed: ReadonlySet<TypeName> | undefined;
  for (const fact of facts) {
    if (fact.type !== 'facts' || !fact.types) continue;
    agreed = agreed ? commonTypes(agreed, fact.types) : fact.types;
  }
  return agreed;
}

/** The types in both sets; where one says `number` and the other `integer`, that is `integer`. */
function commonTypes(left: ReadonlySet<TypeName>, right: ReadonlySet<TypeName>): ReadonlySet<TypeName> {
  return new Set([
    ...[...left].filter((type) => belongsTo(type, right)),
    ...[...right].filter((type) => belongsTo(type, left)),
  ]);
}
