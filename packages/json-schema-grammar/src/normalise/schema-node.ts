import type { NumberBound } from '../numbers/number-dfa.ts';
import type { Json, TypeName } from '../terms/json.ts';
import type { EvaluationScope } from './evaluation-scope.ts';

/** A schema, read: everything it says holds at once. Without parts it allows anything. */
export interface SchemaNode {
  readonly path: string;
  readonly parts: readonly NodePart[];
}

/** What one schema says: facts of its own, other schemas it includes, and choices it leaves open. */
export type NodePart = Facts | Choice | Inclusion;

/** A value satisfies a conjunction when it satisfies every schema in it. */
export type Conjunction = readonly SchemaNode[];

/** `$ref` or a member of `allOf`; looked up late, since schemas may contain themselves. */
export interface Inclusion {
  readonly type: 'inclusion';
  target(): SchemaNode;
}

/** One of several alternatives holds: anyOf, oneOf, not, if, and the dependent keywords. */
export interface Choice {
  readonly type: 'choice';
  readonly id: number;
  readonly path: string;
  /** Whether it stands for `not`. */
  readonly isNegated?: boolean;
  /** `isExclusive` asks that a oneOf keeps its alternatives apart. */
  alternatives(isExclusive: boolean): readonly Conjunction[];
  /** What holds where none of the alternatives does; undefined when that cannot be said. */
  negation(): readonly Conjunction[] | undefined;
}

/** What a schema says of a value by itself. Absent keywords say nothing. */
export interface Facts {
  readonly type: 'facts';
  readonly id: number;
  readonly path: string;
  /** Whether it says what holds where a schema fails; then `unevaluated…` is not told of what it describes. */
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
  /** The number is no multiple of it; no keyword says so, but a negation does. */
  readonly excludedDivisor?: number;
}

/** For what no keyword of the scope speaks of. */
export interface Unevaluated {
  readonly schema: SchemaNode;
  readonly scope: EvaluationScope;
}

export interface ArrayFacts {
  readonly prefix?: readonly SchemaNode[];
  /** For the items after the prefix. */
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

/** The keywords of facts, without what tells one from another. */
export type Assertions = Omit<Facts, 'type' | 'id' | 'path'>;

/** Whether a schema says by itself that nothing satisfies it, as `false` does. */
export function isNever(node: SchemaNode): boolean {
  return node.parts.some((part) => part.type === 'facts' && part.types?.size === 0);
}
