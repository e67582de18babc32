import { type Alternative, type RuleId, rule, text } from '../grammar/grammar-builder.ts';
import { agreedValues } from '../normalise/disjoint.ts';
import { agreedTypes, flatten, type Item } from '../normalise/flatten.ts';
import { keyOf, type Leaf } from '../normalise/leaves.ts';
import type { Conjunction, Facts, SchemaNode } from '../normalise/schema-node.ts';
import { type TypeName, typeOf } from '../terms/json.ts';
import { arrayAlternatives } from './array-rules.ts';
import type { Compilation } from './compilation.ts';
import { valueAlternatives } from './enum-rules.ts';
import { numberAlternatives } from './number-rules.ts';
import { objectAlternatives } from './object-rules.ts';
import { stringAlternatives } from './string-rules.ts';

const EVERY_TYPE: readonly TypeName[] = ['object', 'array', 'string', 'number', 'boolean', 'null'];

/** Builds one rule per conjunction of schemas; uses a worklist, since schemas may be recursive. */
export class ValueRules {
  readonly #compilation: Compilation;
  readonly #ids = new Map<string, RuleId>();
  readonly #leafIds = new Map<string, RuleId>();
  readonly #waiting: { readonly id: RuleId; readonly items: readonly Item[] }[] = [];

  constructor(shared: Omit<Compilation, 'ruleFor'>) {
    this.#compilation = { ...shared, ruleFor: (conjunction) => this.#ruleFor(conjunction) };
  }

  /** Builds all rules for a schema; returns the first. */
  build(root: SchemaNode): RuleId {
    const id = this.#ruleFor([root]);
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) {
      const leaves = this.#compilation.leaves.ofItems(next.items);
      const rules = new Set(leaves.map((leaf) => this.#leafRule(leaf)));
      this.#compilation.grammar.define(
        next.id,
        [...rules].map((leaf) => [rule(leaf)]),
      );
    }
    return id;
  }

  #ruleFor(conjunction: Conjunction): RuleId {
    const items = flatten(conjunction);
    if (items.length === 0) return this.#compilation.builtin.any;
    const key = plainTypes(items) ?? keyOf(items);
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#compilation.grammar.reserve('value', conjunction[0]?.path ?? '');
    this.#ids.set(key, id);
    this.#waiting.push({ id, items });
    return id;
  }

  #leafRule(leaf: Leaf): RuleId {
    if (leaf.length === 0) return this.#compilation.builtin.any;
    const key = keyOf(leaf);
    const known = this.#leafIds.get(key);
    if (known !== undefined) return known;
    const id = this.#compilation.grammar.reserve('case', leaf[0]?.path);
    this.#leafIds.set(key, id);
    return this.#compilation.grammar.define(id, this.#leafAlternatives(leaf));
  }

  #leafAlternatives(leaf: Leaf): readonly Alternative[] {
    const values = agreedValues(leaf);
    if (values) {
      const allowed = values.filter((value) => this.#compilation.judge.satisfiesFacts(value, leaf));
      return valueAlternatives(allowed, this.#compilation);
    }
    return typesOf(leaf, this.#compilation.infersTypes).flatMap((type) => this.#typeAlternatives(type, leaf));
  }

  /** The grammar does not exclude single arrays or objects: it would have to follow them to the last character. */
  #remarkExcluded(type: TypeName, leaf: Leaf): void {
    for (const { excludedValues, path } of leaf) {
      if ((type !== 'array' && type !== 'object') || !excludedValues?.some((value) => typeOf(value) === type))
        continue;
      const message = `An excluded ${type} may still be written.`;
      this.#compilation.remarks.leave({ path, keyword: 'not', message });
    }
  }

  #typeAlternatives(type: TypeName, leaf: Leaf): readonly Alternative[] {
    const excluded = leaf.flatMap(({ excludedValues }) => excludedValues ?? []);
    this.#remarkExcluded(type, leaf);
    switch (type) {
      case 'null':
        return excluded.includes(null) ? [] : [[text('null')]];
      case 'boolean':
        return [true, false]
          .filter((value) => !excluded.includes(value))
          .map((value) => [text(String(value))]);
      case 'integer':
      case 'number':
        return numberAlternatives(leaf, { isInteger: type === 'integer' }, this.#compilation);
      case 'string':
        return stringAlternatives(leaf, this.#compilation);
      case 'array':
        return arrayAlternatives(leaf, this.#compilation);
      case 'object':
        return objectAlternatives(leaf, this.#compilation);
    }
  }
}

/** A key for schemas that state only types, which share rules: most properties are plain strings, numbers or booleans. */
function plainTypes(items: readonly Item[]): string | undefined {
  const [only] = items;
  if (items.length !== 1 || only?.type !== 'facts' || !only.types?.size) return undefined;
  const { values, excludedValues, string, number, array, object } = only;
  return (values ?? excludedValues ?? string ?? number ?? array ?? object)
    ? undefined
    : [...only.types].join();
}

/** The types to write: those stated, else those the keywords apply to, else all. */
function typesOf(leaf: Leaf, infersTypes: boolean): readonly TypeName[] {
  const stated = agreedTypes(leaf);
  if (stated) return [...stated].filter((type) => type !== 'integer' || !stated.has('number'));
  if (!infersTypes) return EVERY_TYPE;
  const spoken = EVERY_TYPE.filter((type) => leaf.some((facts) => speaksOf(facts, type)));
  return spoken.length > 0 ? spoken : EVERY_TYPE;
}

function speaksOf(facts: Facts, type: TypeName): boolean {
  return (
    (type === 'object' && facts.object !== undefined) ||
    (type === 'array' && facts.array !== undefined) ||
    (type === 'string' && facts.string !== undefined) ||
    (type === 'number' && facts.number !== undefined)
  );
}
