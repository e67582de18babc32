import { pointerOf } from '../json-pointer.ts';
import type { Findings } from './assemble.ts';
import { rangesOf } from './filled-list.ts';
import { listsOf, type SchemaPlan } from './schema-plan.ts';
import { fileAt, type SourceFile } from './source-text.ts';

const NO_LIST = { items: [], fit: 0 } as const;

/** The source file of each value and list, by JSON pointer. */
export function originsOf(
  { values, lists }: Findings,
  plan: SchemaPlan,
  files: readonly SourceFile[],
): ReadonlyMap<string, number> {
  const origins = new Map<string, number>();
  const add = (path: readonly string[], offset: number | undefined) => {
    const file = offset === undefined ? undefined : fileAt(files, offset);
    if (file !== undefined) origins.set(pointerOf(path), file.number);
  };
  for (const [{ path }, { start }] of values) add(path, start);
  for (const { list, path } of listsOf(plan)) add(path, rangesOf(lists.get(list) ?? NO_LIST)[0]?.start);
  return origins;
}
