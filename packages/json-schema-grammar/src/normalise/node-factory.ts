import type { Assertions, Choice, Conjunction, NodePart, SchemaNode } from './schema-node.ts';

/** Creates schema nodes. Facts and choices get ids, which identify conjunctions. */
export class NodeFactory {
  #nextId = 0;

  node(path: string, parts: readonly NodePart[]): SchemaNode {
    return { path, parts };
  }

  /** A schema with only these assertions. */
  stating(path: string, assertions: Assertions): SchemaNode {
    return this.node(path, [this.facts(path, assertions)]);
  }

  facts(path: string, assertions: Assertions): NodePart {
    return { type: 'facts', id: this.#nextId++, path, ...assertions };
  }

  /** Alternatives are computed on first use and cached. */
  choice(
    path: string,
    alternatives: (isExclusive: boolean) => readonly Conjunction[],
    negation: () => readonly Conjunction[] | undefined,
  ): Choice {
    const known = new Map<boolean, readonly Conjunction[]>();
    return {
      type: 'choice',
      id: this.#nextId++,
      path,
      alternatives: (isExclusive) => {
        const found = known.get(isExclusive) ?? alternatives(isExclusive);
        known.set(isExclusive, found);
        return found;
      },
      negation,
    };
  }

  anything(path: string): SchemaNode {
    return this.node(path, []);
  }

  never(path: string): SchemaNode {
    return this.stating(path, { types: new Set() });
  }
}
