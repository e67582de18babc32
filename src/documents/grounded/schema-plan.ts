import type { FieldWords } from './label-words.ts';

/** What kind of value a field takes. */
export type FieldKind = 'text' | 'number' | 'integer' | 'boolean' | 'date' | 'date-time' | 'choice';

/** A leaf of the schema that a value of the document may fill. */
export interface Field {
  readonly path: readonly string[];
  readonly kind: FieldKind;
  /** Whether null may be written. */
  readonly isNullable: boolean;
  /** Whether it may be left out, itself or with what it is part of. */
  readonly isOptional: boolean;
  /** The members of an enumeration, without null. */
  readonly choices: readonly unknown[];
  /** Its name as a label, for the model. */
  readonly label: string;
  readonly words: FieldWords;
  /** The words of what it is part of, such as the customer of a name. */
  readonly groupWords: FieldWords;
}

/** A schema as far as values can be found for it. */
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
  readonly words: FieldWords;
  readonly minItems: number;
  readonly maxItems: number;
  /** No item twice. */
  readonly isUnique: boolean;
  /** An object whose properties are all leaves, or a leaf. */
  readonly item: ObjectPlan | LeafPlan;
}

export interface LeafPlan {
  readonly type: 'leaf';
  readonly field: Field;
}

/** What no value of the document can fill: the model must write it. */
export interface FreePlan {
  readonly type: 'free';
  readonly words: FieldWords;
}

/** The leaves of a plan outside lists. */
export function fieldsOf(plan: SchemaPlan): readonly Field[] {
  if (plan.type === 'leaf') return [plan.field];
  if (plan.type !== 'object') return [];
  return plan.properties.flatMap((property) => fieldsOf(property.plan));
}

/** A list of a plan and where it is in the data. */
export interface PlacedList {
  readonly list: ListPlan;
  readonly path: readonly string[];
}

/** The lists of a plan. */
export function listsOf(plan: SchemaPlan, path: readonly string[] = []): readonly PlacedList[] {
  if (plan.type === 'list') return [{ list: plan, path }];
  if (plan.type !== 'object') return [];
  return plan.properties.flatMap((property) => listsOf(property.plan, [...path, property.name]));
}
