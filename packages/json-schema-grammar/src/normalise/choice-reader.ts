import { type Deadline, MAX_NEGATION } from '../terms/budgets.ts';
import { isArray, isObject, type JsonObject, type TypeName } from '../terms/json.ts';
import type { Remarks } from '../terms/remarks.ts';
import { factsOf, isContradiction } from './disjoint.ts';
import type { ReadAt } from './fact-reader.ts';
import type { Negator } from './negator.ts';
import type { NodeFactory } from './node-factory.ts';
import type { Choice, Conjunction, SchemaNode } from './schema-node.ts';

/** A `oneOf` with more alternatives is not made exclusive. */
const MAX_EXCLUSIVE = 12;
/** An alternative whose negation has more alternatives is not excluded. */
const MAX_EXCLUSION = 4;
const DEPENDENT_KEYWORDS = ['dependentRequired', 'dependentSchemas', 'dependencies'] as const;
const CHOICE_KEYWORDS: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'not', 'if', ...DEPENDENT_KEYWORDS]);
const NO_RESTRICTION: readonly Conjunction[] = [[]];

interface Tools {
  readonly deadline: Deadline;
  readonly factory: NodeFactory;
  readonly negator: Negator;
  readonly remarks: Remarks;
}

interface SchemaPosition {
  readonly schema: JsonObject;
  readonly path: string;
  readonly at: ReadAt;
}

/** Reads the keywords that are choices: anyOf, oneOf, not, if, and the dependent keywords. */
export class ChoiceReader {
  readonly #factory: NodeFactory;
  readonly #negator: Negator;
  readonly #remarks: Remarks;
  readonly #deadline: Deadline;

  constructor({ factory, negator, remarks, deadline }: Tools) {
    this.#deadline = deadline;
    this.#factory = factory;
    this.#negator = negator;
    this.#remarks = remarks;
  }

  read(schema: JsonObject, path: string, at: ReadAt): readonly Choice[] {
    if (!Object.keys(schema).some((keyword) => CHOICE_KEYWORDS.has(keyword))) return [];
    const position = { schema, path, at };
    return [
      ...this.#anyOf(position),
      ...this.#oneOf(position),
      ...this.#not(position),
      ...this.#conditional(position),
      ...this.#dependencies(position),
    ];
  }

  #anyOf({ schema, path, at }: SchemaPosition): readonly Choice[] {
    const options = isArray(schema.anyOf) ? [...schema.anyOf.keys()] : undefined;
    if (!options) return [];
    const nodes = () => options.map((index) => at('anyOf', String(index)));
    const alternatives = () => nodes().map((node) => [node]);
    return [this.#factory.choice(`${path}/anyOf`, alternatives, () => this.#negator.negateAll(nodes()))];
  }

  #oneOf({ schema, path, at }: SchemaPosition): readonly Choice[] {
    const options = isArray(schema.oneOf) ? [...schema.oneOf.keys()] : undefined;
    if (!options) return [];
    const alternatives = (isExclusive: boolean) => {
      const nodes = options.map((index) => at('oneOf', String(index)));
      const stated = new Map(nodes.map((node) => [node, factsOf(node)]));
      const areDisjoint = (left: SchemaNode, right: SchemaNode) =>
        isContradiction([...(stated.get(left) ?? []), ...(stated.get(right) ?? [])]);
      return nodes.map((node) => {
        this.#deadline.checkNow();
        const others = nodes.filter((other) => other !== node && !areDisjoint(node, other));
        return [node, ...this.#excluded(others, { path, isExclusive, count: nodes.length })];
      });
    };
    return [this.#factory.choice(`${path}/oneOf`, alternatives, () => undefined)];
  }

  #excluded(
    others: readonly SchemaNode[],
    { path, isExclusive, count }: { path: string; isExclusive: boolean; count: number },
  ): readonly SchemaNode[] {
    const isTooMuch = !isExclusive || count > MAX_EXCLUSIVE;
    return others.flatMap((other) => {
      const alternatives = isTooMuch ? undefined : this.#negator.negate(other);
      const negation = alternatives && alternatives.length <= MAX_EXCLUSION && this.#negator.negation(other);
      if (negation) return [negation];
      const message = `An answer may also satisfy ${other.path || 'the whole schema'}, which oneOf forbids.`;
      this.#remarks.leave({ path, keyword: 'oneOf', message });
      return [];
    });
  }

  #not({ schema, path, at }: SchemaPosition): readonly Choice[] {
    if (!Object.hasOwn(schema, 'not')) return [];
    const alternatives = () => {
      const negated = this.#negator.negate(at('not'));
      if (!negated) {
        this.#remarks.leave({
          path,
          keyword: 'not',
          message: 'The negated schema is too involved for a grammar.',
        });
      }
      return negated ?? NO_RESTRICTION;
    };
    const choice = this.#factory.choice(`${path}/not`, alternatives, () => [[at('not')]]);
    return [{ ...choice, isNegated: true }];
  }

  #conditional({ schema, path, at }: SchemaPosition): readonly Choice[] {
    const hasBranch = Object.hasOwn(schema, 'then') || Object.hasOwn(schema, 'else');
    if (!Object.hasOwn(schema, 'if') || !hasBranch) return [];
    const alternatives = () => {
      const negated = this.#negator.negate(at('if'));
      if (!negated) {
        this.#remarks.leave({
          path,
          keyword: 'if',
          message: 'The condition is too involved to know where it fails.',
        });
      }
      return [
        [at('if'), at('then')],
        ...(negated ?? NO_RESTRICTION).map((failed) => [...failed, at('else')]),
      ];
    };
    return [this.#factory.choice(`${path}/if`, alternatives, () => undefined)];
  }

  #dependencies({ schema, path, at }: SchemaPosition): readonly Choice[] {
    return DEPENDENT_KEYWORDS.flatMap((keyword) => {
      const entries = isObject(schema[keyword]) ? Object.keys(schema[keyword]) : [];
      if (2 ** entries.length > MAX_NEGATION) {
        this.#remarks.leave({ path, keyword, message: `More than ${Math.log2(MAX_NEGATION)} dependencies.` });
        return [];
      }
      return entries.map((name) => this.#dependency({ schema, path, at }, keyword, name));
    });
  }

  /** Either the property is present and its dependency holds, or it is absent. */
  #dependency({ schema, path, at }: SchemaPosition, keyword: string, name: string): Choice {
    const keywordPath = `${path}/${keyword}`;
    const entries = schema[keyword];
    const wanted = isObject(entries) ? entries[name] : undefined;
    const names = isArray(wanted) ? wanted.filter((other) => typeof other === 'string') : [];
    const present = this.#factory.stating(keywordPath, {
      types: new Set<TypeName>(['object']),
      object: { required: [name, ...names] },
    });
    const absent = this.#factory.stating(keywordPath, {
      object: { properties: new Map([[name, this.#factory.never(keywordPath)]]) },
    });
    const alternatives = () => [isArray(wanted) ? [present] : [present, at(keyword, name)], [absent]];
    return this.#factory.choice(keywordPath, alternatives, () => undefined);
  }
}
