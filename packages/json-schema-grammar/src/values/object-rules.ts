import {
  type Alternative,
  type GrammarSymbol,
  type RuleId,
  repeated,
  rule,
  text,
} from '../grammar/grammar-builder.ts';
import type { Leaf } from '../normalise/leaves.ts';
import { isNever } from '../normalise/schema-node.ts';
import { MAX_COUNTING_STATES } from '../terms/budgets.ts';
import type { Compilation } from './compilation.ts';
import { keySymbols } from './enum-rules.ts';
import { unnamedMembers } from './key-classes.ts';
import { propertySchemas } from './property-schemas.ts';

/** A named property and the rule of its values. */
interface NamedMember {
  readonly name: string;
  readonly value: RuleId;
  readonly isRequired: boolean;
}

/** The constraints on an object as a whole. */
interface ObjectShape {
  readonly named: readonly NamedMember[];
  /** The rule of members with unnamed keys; absent if none are written. */
  readonly unnamed?: RuleId | undefined;
  readonly min: number;
  readonly max: number;
}

/** Alternatives for the objects that satisfy the leaf: named keys in schema order, then others. */
export function objectAlternatives(leaf: Leaf, compilation: Compilation): readonly Alternative[] {
  const shape = limitCounting(shapeOf(leaf, compilation), leaf, compilation);
  const { space } = compilation.builtin;
  if (shape.named.length === 0 && shape.unnamed !== undefined && shape.min === 0 && shape.max === Infinity) {
    return openObjects(shape.unnamed, compilation);
  }
  return [[text('{'), space, rule(memberRules(shape, compilation)), space, text('}')]];
}

function shapeOf(leaf: Leaf, compilation: Compilation): ObjectShape {
  const facts = leaf.flatMap(({ object }) => object ?? []);
  const required = new Set(facts.flatMap((object) => object.required ?? []));
  const names = [
    ...new Set([...facts.flatMap(({ properties }) => [...(properties?.keys() ?? [])]), ...required]),
  ];
  const keyRules = facts.flatMap((object) => object.names ?? []);
  const isNamedRightly = (name: string) =>
    keyRules.length === 0 || compilation.judge.satisfies(name, keyRules);
  const named = names.flatMap((name): NamedMember[] => {
    const schemas = propertySchemas(leaf, name, compilation.strings);
    const isForbidden = schemas.some(isNever) || !isNamedRightly(name);
    if (isForbidden && !required.has(name)) return [];
    const value = isForbidden
      ? compilation.grammar.reserve('never', schemas.find(isNever)?.path)
      : compilation.ruleFor(schemas);
    return [{ name, value, isRequired: required.has(name) }];
  });
  const min = Math.max(0, ...facts.map(({ minProperties }) => minProperties ?? 0));
  const max = Math.min(...facts.map(({ maxProperties }) => maxProperties ?? Infinity));
  return {
    named,
    min,
    max,
    unnamed: unnamedMembers({ leaf, names, isNeeded: min > named.length || named.length === 0 }, compilation),
  };
}

/** Drops bounds that have no effect, and bounds that would need too many states. */
function limitCounting(shape: ObjectShape, leaf: Leaf, { remarks }: Compilation): ObjectShape {
  const required = shape.named.filter(({ isRequired }) => isRequired).length;
  const most = shape.unnamed === undefined ? shape.named.length : Infinity;
  const min = shape.min <= required ? 0 : shape.min;
  const max = shape.max >= most ? Infinity : shape.max;
  if (min > 0 && shape.unnamed !== undefined) {
    const message = 'A key that no schema names may be written twice, and counts once.';
    remarks.leave({ path: leaf[0]?.path ?? '', keyword: 'minProperties', message });
  }
  const counted = Math.max(min, max === Infinity ? 0 : max);
  if (counted * (shape.named.length + 1) <= MAX_COUNTING_STATES) return { ...shape, min, max };
  const message = 'There are too many properties to be counted.';
  remarks.leave({ path: leaf[0]?.path ?? '', keyword: 'minProperties', message });
  return { ...shape, min: 0, max: Infinity };
}

function openObjects(member: RuleId, { grammar, builtin, caps }: Compilation): readonly Alternative[] {
  const { space } = builtin;
  const next = grammar.share(`next ${member}`, () => grammar.add('next', [[text(','), space, rule(member)]]));
  const members = [rule(member), repeated(next, 0, caps.openProperties)];
  return [
    [text('{'), space, text('}')],
    [text('{'), space, ...members, space, text('}')],
  ];
}

/**
 * Each rule generates the remaining members, given the next property and the number written so far, up to the largest bound.
 * Built from the last property to the first, so that objects with the same last members share rules.
 */
function memberRules(shape: ObjectShape, compilation: Compilation): RuleId {
  const { grammar, builtin } = compilation;
  const { space } = builtin;
  const counted = Math.max(1, shape.min, shape.max === Infinity ? 0 : shape.max);
  const endRule = endRules(shape, counted, compilation);
  let rests = Array.from({ length: counted + 1 }, (_, written) => endRule(written));
  let required = shape.named.filter(({ isRequired }) => isRequired).length;
  for (const { name, value, isRequired } of shape.named.toReversed()) {
    if (isRequired) required -= 1;
    rests = rests.map((rest, written) => {
      // At least the required members before this one were written.
      if (written < Math.min(required, counted)) return rest;
      const after = rests[Math.min(written + 1, counted)] ?? rest;
      const isWritable = written < shape.max;
      // The name is last, since it may contain any character.
      const key = `members ${value} ${after} ${rest} ${isRequired} ${isWritable} ${written > 0} ${name}`;
      return grammar.share(key, () => {
        const member = [...comma(written, space), ...keySymbols(name, space), rule(value), rule(after)];
        return grammar.add('members', [
          ...(isWritable ? [member] : []),
          ...(isRequired ? [] : [[rule(rest)]]),
        ]);
      });
    });
  }
  return rests[0] ?? endRule(0);
}

/** The rules after the named members: other members, and the end once there are enough. */
function endRules(
  { unnamed, min, max }: ObjectShape,
  counted: number,
  { grammar, builtin, caps }: Compilation,
): (written: number) => RuleId {
  const { space } = builtin;
  if (unnamed === undefined) {
    return (written) =>
      grammar.share(`end ${written >= min}`, () => grammar.add('end', written >= min ? [[]] : []));
  }
  const next = grammar.share(`next ${unnamed}`, () =>
    grammar.add('next', [[text(','), space, rule(unnamed)]]),
  );
  if (min === 0 && max === Infinity) {
    const more = grammar.share(`more ${unnamed}`, () =>
      grammar.add('others', [[repeated(next, 0, caps.openProperties)]]),
    );
    return (written) =>
      written > 0
        ? more
        : grammar.share(`others ${unnamed}`, () => grammar.add('others', [[], [rule(unnamed), rule(more)]]));
  }
  return grammar.states<number>('others', String, (written, goTo) => {
    const another = [...comma(written, space), rule(unnamed), goTo(Math.min(written + 1, counted))];
    return [...(written >= min ? [[]] : []), ...(written < max ? [another] : [])];
  });
}

function comma(written: number, space: GrammarSymbol): Alternative {
  return written === 0 ? [] : [text(','), space];
}
