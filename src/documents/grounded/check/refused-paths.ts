import type { ValueProblem } from '@stackgate/json-schema-grammar';
import { pointerOf } from '../../json-pointer.ts';
import type { SchemaPlan } from '../plan/schema-plan.ts';

/** The leaves and lists with problems, as JSON pointers; undefined if a problem concerns more than one. */
export function refusedPaths(
  plan: SchemaPlan,
  problems: readonly Pick<ValueProblem, 'path'>[],
): ReadonlySet<string> | undefined {
  const ends = endsOf(plan, []);
  const refused = new Set<string>();
  for (const { path } of problems) {
    const end = ends.find((pointer) => path === pointer || path.startsWith(`${pointer}/`));
    if (end === undefined) return undefined;
    refused.add(end);
  }
  return refused;
}

function endsOf(plan: SchemaPlan, path: readonly string[]): readonly string[] {
  if (plan.type !== 'object') return [pointerOf(path)];
  return plan.properties.flatMap(({ name, plan: property }) => endsOf(property, [...path, name]));
}
