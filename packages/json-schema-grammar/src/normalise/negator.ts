import { MAX_NEGATION } from '../terms/budgets.ts';
import type { TypeName } from '../terms/json.ts';
import type { NodeFactory } from './node-factory.ts';
import type { Assertions, Conjunction, Facts, NodePart, ObjectFacts, SchemaNode } from './schema-node.ts';

const EVERY_TYPE: readonly TypeName[] = ['null', 'boolean', 'number', 'string', 'array', 'object'];

/** Negates schemas, as a list of alternatives; undefined if a negation cannot be expressed. */
export class Negator {
  readonly #factory: NodeFactory;
  readonly #known = new Map<SchemaNode, readonly Conjunction[] | undefined>();
  readonly #negations = new Map<SchemaNode, SchemaNode>();

  constructor(factory: NodeFactory) {
    this.#factory = factory;
  }

  negate(node: SchemaNode): readonly Conjunction[] | undefined {
    if (this.#known.has(node)) return this.#known.get(node);
    // Set before descending: a recursive schema has no negation.
    this.#known.set(node, undefined);
    const alternatives = this.#negateParts(node.parts);
    this.#known.set(node, alternatives);
    return alternatives;
  }

  /** The negation as one schema. */
  negation(node: SchemaNode): SchemaNode | undefined {
    const alternatives = this.negate(node);
    if (!alternatives) return undefined;
    const known = this.#negations.get(node);
    if (known) return known;
    const choice = this.#factory.choice(
      node.path,
      () => alternatives,
      () => [[node]],
    );
    const made = this.#factory.node(node.path, [choice]);
    this.#negations.set(node, made);
    return made;
  }

  /** The negation of every schema at once. */
  negateAll(nodes: readonly SchemaNode[]): readonly Conjunction[] | undefined {
    let combined: readonly Conjunction[] = [[]];
    for (const node of nodes) {
      const alternatives = this.negate(node);
      if (!alternatives || combined.length * alternatives.length > MAX_NEGATION) return undefined;
      combined = combined.flatMap((left) => alternatives.map((right) => [...left, ...right]));
    }
    return combined;
  }

  #negateParts(parts: readonly NodePart[]): readonly Conjunction[] | undefined {
    const alternatives: Conjunction[] = [];
    for (const part of parts) {
      const negated = this.#negatePart(part);
      if (!negated) return undefined;
      alternatives.push(...negated);
    }
    return alternatives.length > MAX_NEGATION ? undefined : alternatives;
  }

  #negatePart(part: NodePart): readonly Conjunction[] | undefined {
    switch (part.type) {
      case 'facts':
        return this.#negateFacts(part);
      case 'inclusion':
        return this.negate(part.target());
      case 'choice':
        return part.negation();
    }
  }

  #negateFacts(facts: Facts): readonly Conjunction[] | undefined {
    if (facts.array?.contains || facts.array?.prefix || facts.array?.rest || facts.array?.unevaluated)
      return undefined;
    if (facts.array?.areUnique || facts.string?.format !== undefined) return undefined;
    const properties = facts.object ? this.#negateProperties(facts.object) : [];
    if (!properties) return undefined;
    const assertions = [...negateTypes(facts), ...negateLimits(facts), ...properties];
    return assertions.map((stated) => [this.#factory.stating(facts.path, { ...stated, isNegated: true })]);
  }

  #negateProperties(object: ObjectFacts): readonly Assertions[] | undefined {
    const { patterns, additional, unevaluated, names } = object;
    if (patterns || additional || unevaluated || names) return undefined;
    const negated: Assertions[] = (object.required ?? []).map((name) =>
      statingObject({ properties: new Map([[name, this.#factory.never('')]]) }),
    );
    for (const [name, schema] of object.properties ?? []) {
      const negation = this.negation(schema);
      if (!negation) return undefined;
      negated.push(statingObject({ required: [name], properties: new Map([[name, negation]]) }));
    }
    return negated;
  }
}

function statingObject(object: ObjectFacts): Assertions {
  return { types: new Set<TypeName>(['object']), object };
}

function negateTypes({ types, values, excludedValues }: Facts): readonly Assertions[] {
  const negated: Assertions[] = [];
  const isIntegerOnly = types?.has('integer') === true && !types.has('number');
  if (isIntegerOnly) negated.push({ types: new Set<TypeName>(['number']), number: { excludedDivisor: 1 } });
  if (types) {
    const others = EVERY_TYPE.filter((type) => !types.has(type) && !(isIntegerOnly && type === 'number'));
    negated.push({ types: new Set(others) });
  }
  if (values) negated.push({ excludedValues: values });
  if (excludedValues) negated.push({ values: excludedValues });
  return negated;
}

function negateLimits({ string, number, array, object }: Facts): readonly Assertions[] {
  const strings = new Set<TypeName>(['string']);
  const numbers = new Set<TypeName>(['number']);
  const arrays = new Set<TypeName>(['array']);
  const negated: Assertions[] = [];
  if (string?.pattern !== undefined)
    negated.push({ types: strings, string: { excludedPattern: string.pattern } });
  if (string?.excludedPattern !== undefined) {
    negated.push({ types: strings, string: { pattern: string.excludedPattern } });
  }
  if (string?.minLength) negated.push({ types: strings, string: { maxLength: string.minLength - 1 } });
  if (string?.maxLength !== undefined)
    negated.push({ types: strings, string: { minLength: string.maxLength + 1 } });
  if (number?.minimum) negated.push({ types: numbers, number: { maximum: opposite(number.minimum) } });
  if (number?.maximum) negated.push({ types: numbers, number: { minimum: opposite(number.maximum) } });
  if (number?.multipleOf !== undefined)
    negated.push({ types: numbers, number: { excludedDivisor: number.multipleOf } });
  if (number?.excludedDivisor !== undefined) {
    negated.push({ types: numbers, number: { multipleOf: number.excludedDivisor } });
  }
  if (array?.minItems) negated.push({ types: arrays, array: { maxItems: array.minItems - 1 } });
  if (array?.maxItems !== undefined) negated.push({ types: arrays, array: { minItems: array.maxItems + 1 } });
  if (object?.minProperties) negated.push(statingObject({ maxProperties: object.minProperties - 1 }));
  if (object?.maxProperties !== undefined)
    negated.push(statingObject({ minProperties: object.maxProperties + 1 }));
  return negated;
}

function opposite({ value, exclusive }: { readonly value: number; readonly exclusive: boolean }) {
  return { value, exclusive: !exclusive };
}
