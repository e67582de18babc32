import type { Field, ObjectPlan } from '../plan/schema-plan.ts';
import { cellValue } from './cell-value.ts';
import type { FilledItem } from './filled-list.ts';
import type { TextSlice } from './text-slice.ts';

/** The leaves of an item. */
export function leavesOf({ properties }: ObjectPlan): readonly Field[] {
  return properties.flatMap(({ plan }) => (plan.type === 'leaf' ? [plan.field] : []));
}

/** An item from the text of its leaves; undefined if something is missing that must be there. */
export function objectOf(
  { properties }: ObjectPlan,
  pieces: ReadonlyMap<Field, TextSlice>,
): FilledItem | undefined {
  const members: [string, unknown][] = [];
  const leaves = new Map<string, TextSlice>();
  for (const { name, isRequired, plan } of properties) {
    if (plan.type !== 'leaf') return undefined;
    const piece = pieces.get(plan.field);
    const value = piece === undefined ? undefined : cellValue(plan.field, piece.text);
    if (piece !== undefined && value !== undefined) {
      members.push([name, value]);
      leaves.set(name, piece);
    } else if (plan.field.isNullable) members.push([name, null]);
    else if (isRequired) return undefined;
  }
  return leaves.size === 0 ? undefined : { value: Object.fromEntries(members), leaves };
}
