import type { NumberBound } from '../numbers/number-dfa.ts';
import type { Json, TypeName } from '../terms/json.ts';
import type { EvaluationScope } from './evaluation-scope.ts';

/** A parsed schema: the conjunction of its parts. Without parts it allows any value. */
export interface SchemaNode {
  readonly path: string;
  readonly parts: readonly NodePart[];
}

/** A part of a schema: its own facts, a schema it includes, or a choice. */
export type NodePart = Facts | Choice | Inclusion;

/** Schemas that must all be satisfied. */
export type Conjunction = readonly SchemaNode[];

/** `$ref` or a member of `allOf`; resolved lazily, since schemas may be recursive. */
export interface Inclusion {
  readonly type: 'inclusion';
  target(): SchemaNode;
}

/** Alternatives of which one must hold: anyOf, oneOf, not, if, and the dependent keywords. */
export interface Choice {
  readonly type: 'choice';
  readonly id: number;
  readonly path: string;
  /** Whether it represents `not`. */
  readonly isNegated?: boolean;
  /** With `isExclusive`, the alternatives of a `oneOf` exclude each other. */
  alternatives(isExclusive: boolean): readonly Conjunction[];
  /** The negation, as alternatives; undefined if it cannot be expressed. */
  negation(): readonly Conjunction[] | undefined;
}

/** The assertions of one schema. An absent keyword allows any value. */
export interface Facts {
  readonly type: 'facts';
  readonly id: number;
  readonly path: string;
  /** Whether the facts come from a negation; then they evaluate nothing for the `unevaluated` keywords. */
  readonly isNegated?: boolean;
  readonly types?: ReadonlySet<TypeName>;
  readonly values?: readonly Json[];
  readonly excludedValues?: readonly Json[];
  readonly string?: StringFacts;
  readonly number?: NumberFacts;
  readonly array?: ArrayFacts;
  readonly object?: ObjectFacts;
}

export interface StringFacts {
  readonly pattern?: string;
  readonly excludedPattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

export interface NumberFacts {
  readonly minimum?: NumberBound;
  readonly maximum?: NumberBound;
  readonly multipleOf?: number;
  /** The number is not a multiple of it. Only negations produce this. */
  readonly excludedDivisor?: number;
}

/** Applies to properties or items that no other keyword in the scope evaluates. */
export interface Unevaluated {
  readonly schema: SchemaNode;
  readonly scope: EvaluationScope;
}

export interface ArrayFacts {
  readonly prefix?: readonly SchemaNode[];
  /** Applies to the items after the prefix. */
  readonly rest?: SchemaNode;
  readonly unevaluated?: Unevaluated;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly areUnique?: boolean;
  readonly contains?: { readonly schema: SchemaNode; readonly min: number; readonly max: number };
}

export interface ObjectFacts {
  readonly properties?: ReadonlyMap<string, SchemaNode>;
  readonly patterns?: readonly { readonly pattern: string; readonly schema: SchemaNode }[];
  readonly additional?: SchemaNode;
  readonly unevaluated?: Unevaluated;
  readonly required?: readonly string[];
  readonly names?: SchemaNode;
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

/** Facts without their identity. */
export type Assertions = Omit<Facts, 'type' | 'id' | 'path'>;

/** Whether a schema directly allows no value, as `false` does. */
export function isNever(node: SchemaNode): boolean {
  return node.parts.some((part) => part.type === 'facts' && part.types?.size === 0);
}
