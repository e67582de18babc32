import { belongsTo, type TypeName } from '../terms/json.ts';
import type { Choice, Conjunction, Facts, NodePart } from './schema-node.ts';

/** A part of a conjunction after inclusions are resolved. */
export type Item = Facts | Choice;

/** Resolves the inclusions of a conjunction; each fact and choice appears once, in schema order. */
export function flatten(conjunction: Conjunction): readonly Item[] {
  const [first] = conjunction;
  // The usual case: one schema without inclusions.
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

/** The types that all facts allow; undefined if none states types. */
export function agreedTypes(facts: readonly Item[]): ReadonlySet<TypeName> | undefined {
  let agreed: ReadonlySet<TypeName> | undefined;
  for (const fact of facts) {
    if (fact.type !== 'facts' || !fact.types) continue;
    agreed = agreed ? commonTypes(agreed, fact.types) : fact.types;
  }
  return agreed;
}

/** The types in both sets; `number` and `integer` have `integer` in common. */
function commonTypes(left: ReadonlySet<TypeName>, right: ReadonlySet<TypeName>): ReadonlySet<TypeName> {
  return new Set([
    ...[...left].filter((type) => belongsTo(type, right)),
    ...[...right].filter((type) => belongsTo(type, left)),
  ]);
}
