import { type Alternative, repeated, rule, text } from '../grammar/grammar-builder.ts';
import { agreedValues } from '../normalise/disjoint.ts';
import type { Leaf } from '../normalise/leaves.ts';
import type { Conjunction, SchemaNode } from '../normalise/schema-node.ts';
import { MAX_COUNTING_STATES, MAX_REPETITION, MAX_UNIQUE_VALUES } from '../terms/budgets.ts';
import type { Json } from '../terms/json.ts';
import type { Compilation } from './compilation.ts';
import { separator, valueSymbols } from './enum-rules.ts';
import { itemSchemas } from './item-schemas.ts';

/** The constraints on an array as a whole. */
interface ArrayShape {
  readonly leaf: Leaf;
  readonly min: number;
  readonly max: number;
  /** From this index on, all items have the same schemas. */
  readonly prefixLength: number;
  readonly contains?: ContainsCount | undefined;
}

interface ContainsCount {
  readonly schema: SchemaNode;
  readonly min: number;
  readonly max: number;
  /** The schema of an item that does not match; set to enforce `maxContains`. */
  readonly other?: SchemaNode | undefined;
}

/** Alternatives for the arrays that satisfy the leaf. */
export function arrayAlternatives(leaf: Leaf, compilation: Compilation): readonly Alternative[] {
  const shape = shapeOf(leaf, compilation);
  if (shape.min > shape.max) return [];
  if (leaf.some(({ array }) => array?.areUnique) && shape.max > 1) {
    const values = shape.prefixLength === 0 && !shape.contains ? listedValues(shape, compilation) : undefined;
    if (values) return uniqueArrays(values, shape, compilation);
    const message = 'Items are kept apart only where an enum lists a few values.';
    compilation.remarks.leave({ path: leaf[0]?.path ?? '', keyword: 'uniqueItems', message });
  }
  return shape.prefixLength === 0 && !shape.contains
    ? uniformArrays(shape, compilation)
    : countedArrays(shape, compilation);
}

function shapeOf(leaf: Leaf, compilation: Compilation): ArrayShape {
  const facts = leaf.flatMap(({ array }) => array ?? []);
  const min = Math.max(0, ...facts.map(({ minItems }) => minItems ?? 0));
  const max = Math.min(...facts.map(({ maxItems }) => maxItems ?? Infinity));
  const prefixLength = Math.max(0, ...facts.map(({ prefix }) => prefix?.length ?? 0));
  // A tuple that does not describe further items is written without them.
  const isDescribed = facts.some(({ rest, unevaluated }) => rest ?? unevaluated);
  const isOpen = isDescribed || prefixLength === 0 || compilation.unnamedKeys === 'where-allowed';
  return {
    leaf,
    min,
    max: isOpen ? max : Math.min(max, Math.max(prefixLength, min)),
    prefixLength,
    contains: containsCount(leaf, compilation),
  };
}

function containsCount(leaf: Leaf, { negator, remarks }: Compilation): ContainsCount | undefined {
  const counts = leaf.flatMap(({ array, path }) => (array?.contains ? [{ ...array.contains, path }] : []));
  const [first, ...more] = counts.filter(({ min, max }) => min > 0 || max < Infinity);
  if (!first) return undefined;
  for (const { path } of more) {
    remarks.leave({ path, keyword: 'contains', message: 'Only the first of several is enforced.' });
  }
  const other = first.max < Infinity ? negator.negation(first.schema) : undefined;
  if (first.max < Infinity && !other) {
    const message = 'The schema is too involved to know which items do not count.';
    remarks.leave({ path: first.path, keyword: 'maxContains', message });
  }
  return { ...first, max: other ? first.max : Infinity, other };
}

function uniformArrays({ leaf, min, max }: ArrayShape, compilation: Compilation): readonly Alternative[] {
  const { grammar, builtin, caps, remarks } = compilation;
  const { space } = builtin;
  const empty = [text('['), space, text(']')];
  if (max === 0) return [empty];
  const item = compilation.ruleFor(itemSchemas(leaf, 0));
  const next = grammar.share(`next ${item}`, () => grammar.add('next', [[text(','), space, rule(item)]]));
  const least = Math.min(Math.max(min - 1, 0), MAX_REPETITION);
  if (least < min - 1) {
    remarks.leave({
      path: leaf[0]?.path ?? '',
      keyword: 'minItems',
      message: `Only ${least} items are asked for.`,
    });
  }
  const most = Math.min(max - 1, Math.max(caps.items - 1, least));
  const filled = [text('['), space, rule(item), repeated(next, least, most), space, text(']')];
  return min === 0 ? [empty, filled] : [filled];
}

/** For arrays whose items differ by index or are counted: each number of items is a state. */
function countedArrays(shape: ArrayShape, compilation: Compilation): readonly Alternative[] {
  const { grammar, builtin, remarks } = compilation;
  const { space } = builtin;
  const count = limitCounting(shape);
  if (count.isCut) {
    const message = 'The array is too long to be counted.';
    remarks.leave({ path: shape.leaf[0]?.path ?? '', keyword: 'minItems', message });
  }
  const counting = count.shape;
  const last = Math.max(counting.min, counting.prefixLength, counting.max === Infinity ? 0 : counting.max);
  const { contains } = counting;
  const most = contains ? (contains.max === Infinity ? contains.min : contains.max) : 0;
  const stateRules = grammar.states<{ items: number; found: number }>(
    'items',
    ({ items, found }) => `${items} ${found}`,
    ({ items, found }, goTo) => {
      const alternatives: Alternative[] = [];
      if (items >= counting.min && found >= (contains?.min ?? 0)) alternatives.push([space, text(']')]);
      if (items >= counting.max) return alternatives;
      const next = counting.max === Infinity ? Math.min(items + 1, last + 1) : items + 1;
      const schemas = itemSchemas(counting.leaf, items);
      const item = (conjunction: Conjunction, total: number) => [
        ...separator(items, space),
        rule(compilation.ruleFor(conjunction)),
        goTo({ items: next, found: total }),
      ];
      const isCounting = contains && found < most;
      if (isCounting) alternatives.push(item([...schemas, contains.schema], found + 1));
      alternatives.push(item(contains?.other ? [...schemas, contains.other] : schemas, found));
      return alternatives;
    },
  );
  return [[text('['), space, rule(stateRules({ items: 0, found: 0 }))]];
}

function limitCounting(shape: ArrayShape): { readonly shape: ArrayShape; readonly isCut: boolean } {
  const found = shape.contains?.max === Infinity ? shape.contains.min : (shape.contains?.max ?? 0);
  const longest = Math.max(shape.min, shape.prefixLength, shape.max === Infinity ? 0 : shape.max);
  if ((longest + 1) * (found + 1) <= MAX_COUNTING_STATES) return { shape, isCut: false };
  return { shape: { ...shape, min: 0, max: Infinity, contains: undefined }, isCut: true };
}

/** The enum values of the items, if there are few enough for each subset to be a state. */
function listedValues({ leaf }: ArrayShape, { leaves, judge }: Compilation): readonly Json[] | undefined {
  const values = leaves.of(itemSchemas(leaf, 0)).flatMap((item) => {
    const listed = agreedValues(item);
    return listed ? listed.filter((value) => judge.satisfiesFacts(value, item)) : [undefined];
  });
  const distinct = new Map(values.map((value) => [JSON.stringify(value), value]));
  const listed = [...distinct.values()].filter((value) => value !== undefined);
  return listed.length === distinct.size && listed.length <= MAX_UNIQUE_VALUES ? listed : undefined;
}

function uniqueArrays(
  values: readonly Json[],
  { min, max }: ArrayShape,
  { grammar, builtin }: Compilation,
): readonly Alternative[] {
  const { space } = builtin;
  const stateRules = grammar.states<readonly number[]>('unique', String, (used, goTo) => {
    const alternatives: Alternative[] = used.length >= min ? [[space, text(']')]] : [];
    if (used.length >= max) return alternatives;
    const free = [...values.keys()].filter((index) => !used.includes(index));
    const items = free.map((index) => [
      ...separator(used.length, space),
      ...valueSymbols(values[index] ?? null, space),
      goTo([...used, index].sort((a, b) => a - b)),
    ]);
    return [...alternatives, ...items];
  });
  return [[text('['), space, rule(stateRules([]))]];
}
