import type { Caller } from '../../access/caller.ts';
import { KeyGuard } from '../../access/key-guard.ts';
import { Fault } from '../../faults/fault.ts';

/** Why a key has no session at this address. A session sees the whole stack, so that a key with less power has none. */
export function sessionRefusal({ key }: Caller, address: string): Fault | undefined {
  const { restrictions, ownImagesOnly } = key;
  const refusal = restrictions && new KeyGuard().refusal(restrictions, { isForReaders: true }, address);
  if (refusal !== undefined) return refusal;
  if (restrictions?.scopes === undefined && !ownImagesOnly) return undefined;
  return new Fault('scope-not-allowed', 'A key that sees only a part of its stack cannot be used to log in.');
}
