import type { ValueKind } from '../values/normalise.ts';
import type { FieldWords } from './label-words.ts';

/** A leaf of the schema that a value from a document can fill. */
export interface Field {
  readonly path: readonly string[];
  readonly kind: ValueKind;
  /** Whether it may be null. */
  readonly isNullable: boolean;
  /** Whether it, or its parent, may be omitted. */
  readonly isOptional: boolean;
  /** Enumeration members, without null. */
  readonly choices: readonly unknown[];
  /** Label for prompts. */
  readonly label: string;
  /** As the schema says it. */
  readonly description: string | undefined;
  readonly words: FieldWords;
  /** Words of its parents, such as "customer" for a name. */
  readonly groupWords: FieldWords;
}

/** The parts of a schema that values can be found for. */
export type SchemaPlan = ObjectPlan | ListPlan | LeafPlan | FreePlan;

export interface ObjectPlan {
  readonly type: 'object';
  readonly isNullable: boolean;
  readonly properties: readonly PropertyPlan[];
}

export interface PropertyPlan {
  readonly name: string;
  readonly isRequired: boolean;
  readonly plan: SchemaPlan;
}

export interface ListPlan {
  readonly type: 'list';
  readonly isNullable: boolean;
  /** As the schema says it. */
  readonly description: string | undefined;
  readonly words: FieldWords;
  readonly minItems: number;
  readonly maxItems: number;
  /** From `uniqueItems`. */
  readonly isUnique: boolean;
  /** A leaf, or an object of leaves. */
  readonly item: ObjectPlan | LeafPlan;
}

export interface LeafPlan {
  readonly type: 'leaf';
  readonly field: Field;
}

/** A part that only the model can write. */
export interface FreePlan {
  readonly type: 'free';
  readonly words: FieldWords;
}

export function fieldsOf(plan: SchemaPlan): readonly Field[] {
  if (plan.type === 'leaf') return [plan.field];
  if (plan.type !== 'object') return [];
  return plan.properties.flatMap((property) => fieldsOf(property.plan));
}

/** A list of a plan and its path in the data. */
export interface LocatedList {
  readonly list: ListPlan;
  readonly path: readonly string[];
}

export function listsOf(plan: SchemaPlan, path: readonly string[] = []): readonly LocatedList[] {
  if (plan.type === 'list') return [{ list: plan, path }];
  if (plan.type !== 'object') return [];
  return plan.properties.flatMap((property) => listsOf(property.plan, [...path, property.name]));
}
