import { type Deadline, MAX_EXPANSIONS, MAX_LEAVES } from '../terms/budgets.ts';
import type { Remarks } from '../terms/remarks.ts';
import { isContradiction } from './disjoint.ts';
import { flatten, type Item } from './flatten.ts';
import type { Choice, Conjunction, Facts } from './schema-node.ts';

/** A conjunction of facts without open choices. */
export type Leaf = readonly Facts[];

/** Expands conjunctions into leaves; a value satisfies a conjunction if it satisfies one of its leaves. */
export class Leaves {
  readonly #remarks: Remarks;
  readonly #deadline: Deadline;
  readonly #known = new Map<string, readonly Leaf[]>();

  constructor(remarks: Remarks, deadline: Deadline) {
    this.#remarks = remarks;
    this.#deadline = deadline;
  }

  of(conjunction: Conjunction): readonly Leaf[] {
    return this.ofItems(flatten(conjunction));
  }

  /** The leaves of a flattened conjunction. */
  ofItems(items: readonly Item[]): readonly Leaf[] {
    const key = keyOf(items);
    const known = this.#known.get(key);
    if (known) return known;
    const found = this.#expand(items);
    this.#known.set(key, found);
    return found;
  }

  /** Tries exclusive `oneOf` first, which multiplies the leaves; if they are too many, expands without exclusion. */
  #expand(items: readonly Item[]): readonly Leaf[] {
    const facts = items.filter((item) => item.type === 'facts');
    if (facts.length === items.length) return isContradiction(facts) ? [] : [facts];
    const exact = this.#explore(items, true);
    if (exact.isComplete) return exact.leaves;
    const loose = this.#explore(items, false);
    if (!loose.isComplete) {
      const path = items.find((item) => item.type === 'choice')?.path ?? '';
      const message = `Only the first ${loose.leaves.length} combinations of the alternatives are allowed.`;
      this.#remarks.narrow({ path, keyword: 'anyOf', message });
    }
    return loose.leaves;
  }

  #explore(
    start: readonly Item[],
    isExclusive: boolean,
  ): { readonly leaves: readonly Leaf[]; readonly isComplete: boolean } {
    const leaves: Leaf[] = [];
    const seen = new Set<string>();
    const waiting = [start];
    for (let items = waiting.pop(); items; items = waiting.pop()) {
      const key = keyOf(items);
      if (seen.has(key)) continue;
      seen.add(key);
      this.#deadline.check();
      if (seen.size > MAX_EXPANSIONS || leaves.length >= MAX_LEAVES) return { leaves, isComplete: false };
      const facts = items.filter((item) => item.type === 'facts');
      if (isContradiction(facts)) continue;
      const index = items.findIndex((item) => item.type === 'choice');
      const choice = items[index];
      if (choice?.type !== 'choice') leaves.push(facts);
      else waiting.push(...replaceChoice(items, choice, isExclusive).reverse());
    }
    return { leaves, isComplete: true };
  }
}

/** A key for a conjunction, independent of order. */
export function keyOf(items: readonly Item[]): string {
  const [first] = items;
  if (first && items.length === 1) return String(first.id);
  return items
    .map(({ id }) => id)
    .sort((a, b) => a - b)
    .join();
}

function replaceChoice(items: readonly Item[], choice: Choice, isExclusive: boolean): (readonly Item[])[] {
  const index = items.indexOf(choice);
  return choice.alternatives(isExclusive).map((alternative) => {
    const replaced = [...items.slice(0, index), ...flatten(alternative), ...items.slice(index + 1)];
    // An alternative may include the choice itself; it is resolved only once.
    const unique = new Map(replaced.map((item) => [item.id, item]));
    unique.delete(choice.id);
    return [...unique.values()];
  });
}
