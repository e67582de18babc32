import type { Facts, SchemaNode } from './schema-node.ts';

/** The scope of `unevaluatedProperties` and `unevaluatedItems`: their own schema and its in-place applicators. */
export class EvaluationScope {
  #schema: SchemaNode | undefined;
  #facts: ReadonlySet<number> | undefined;

  /** Sets the schema, which exists only after its keywords have been read. */
  open(schema: SchemaNode): void {
    this.#schema = schema;
  }

  includes(facts: Facts): boolean {
    this.#facts ??= this.#schema ? factsWithin(this.#schema) : new Set();
    return this.#facts.has(facts.id);
  }
}

/** Includes every alternative: those not taken do not occur among the facts tested. */
function factsWithin(schema: SchemaNode): ReadonlySet<number> {
  const ids = new Set<number>();
  const schemas = new Set([schema]);
  for (const { parts } of schemas) {
    for (const part of parts) {
      if (part.type === 'inclusion') schemas.add(part.target());
      else if (part.isNegated) continue;
      else if (part.type === 'facts') ids.add(part.id);
      else for (const node of part.alternatives(true).flat()) schemas.add(node);
    }
  }
  return ids;
}
