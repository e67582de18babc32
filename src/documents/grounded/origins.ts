import { pointerOf } from '../json-pointer.ts';
import type { Findings } from './assemble.ts';
import { listsOf, type SchemaPlan } from './schema-plan.ts';
import { fileAt, type SourceFile } from './source-text.ts';

/** The source file of each value and list, by JSON pointer. */
export function originsOf(
  { values, lists }: Findings,
  plan: SchemaPlan,
  files: readonly SourceFile[],
): ReadonlyMap<string, number> {
  const origins = new Map<string, number>();
  const add = (path: readonly string[], position: number | undefined) => {
    const file = position === undefined ? undefined : fileAt(files, position);
    if (file !== undefined) origins.set(pointerOf(path), file.number);
  };
  for (const [{ path }, { start }] of values) add(path, start);
  for (const { list, path } of listsOf(plan)) add(path, lists.get(list)?.places[0]?.start);
  return origins;
}
