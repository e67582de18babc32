import { OperatorError } from '../admin/operator-error.ts';
import type { ErasureTarget } from '../store/erasure-target.ts';
import { keyName } from './filter-options.ts';

/** The options of `erase` that name more than one thing. */
export interface ErasureTargetOptions {
  readonly key?: string;
  readonly stack?: string;
  readonly account?: string;
}

/** The one target that options name; refuses none and several. */
export function erasureTarget(
  one: string | undefined,
  { key, stack, account }: ErasureTargetOptions,
  refusal: string,
): ErasureTarget {
  const given = [one, key, stack, account].filter((value) => value !== undefined);
  if (given.length !== 1) throw new OperatorError(refusal);
  if (one !== undefined) return { scope: 'one', id: one };
  if (stack !== undefined) return { scope: 'stack', stackId: stack };
  if (account !== undefined) return { scope: 'account', accountId: account };
  return { scope: 'key', ...keyName(key ?? '') };
}
