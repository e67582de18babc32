import type { AskedField, FieldQuestion } from '../../reading/fields/field-finder.ts';
import { type Field, fieldsOf, type ListPlan, listsOf, type SchemaPlan } from './schema-plan.ts';

/** Fields and columns that the network is asked for; rules alone look for the others. */
const MOST_QUESTIONS = 200;

/** A question to the network, and what its parts ask for, in the same order. */
export interface PlannedQuestion {
  readonly question: FieldQuestion;
  readonly fields: readonly Field[];
  readonly lists: readonly ListPlan[];
}

/** The question that a plan's fields and lists ask of a page. */
export function askFields(plan: SchemaPlan): PlannedQuestion {
  const fields = fieldsOf(plan).slice(0, MOST_QUESTIONS);
  let left = MOST_QUESTIONS - fields.length;
  const lists = listsOf(plan).filter(({ list }) => {
    left -= 1 + columnsOf(list).length;
    return left >= 0;
  });
  return {
    question: {
      fields: fields.map((field) => askedField(field, field.path.join('.'))),
      lists: lists.map(({ list, path }) => ({
        name: path.join('.'),
        description: list.description,
        columns: columnsOf(list).map(({ name, field }) => askedField(field, name)),
      })),
    },
    fields,
    lists: lists.map(({ list }) => list),
  };
}

/** The columns of a list of objects; none for plain values. */
export function columnsOf({ item }: ListPlan): readonly { readonly name: string; readonly field: Field }[] {
  if (item.type === 'leaf') return [];
  return item.properties.flatMap(({ name, plan }) =>
    plan.type === 'leaf' ? [{ name, field: plan.field }] : [],
  );
}

function askedField({ kind, description, choices }: Field, name: string): AskedField {
  return { name, type: typeOf(kind), description, choices: choices.map(String) };
}

function typeOf(kind: Field['kind']): string {
  if (kind === 'date' || kind === 'date-time') return 'date';
  return kind === 'text' || kind === 'choice' ? 'string' : kind;
}
