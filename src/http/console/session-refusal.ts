import type { Caller } from '../../access/caller.ts';
import { KeyGuard } from '../../access/key-guard.ts';
import { isKeySecret, isMistypedSecret } from '../../access/key-secret.ts';
import { Fault } from '../../faults/fault.ts';

/** Why a key has no session at this address. A session sees the whole stack, so that a key with less power has none. */
export function sessionRefusal({ key }: Caller, address: string): Fault | undefined {
  const { restrictions, ownImagesOnly } = key;
  const refusal = restrictions && new KeyGuard().refusal(restrictions, { isForReaders: true }, address);
  if (refusal !== undefined) return refusal;
  if (restrictions?.scopes === undefined && !ownImagesOnly) return undefined;
  return new Fault('scope-not-allowed', 'A key that sees only a part of its stack cannot be used to log in.');
}

/** The refusal of a pasted key, for a person: what a program is told of a header helps nobody who looks at a form. */
export function wordedForPeople(refusal: unknown, pasted: string): unknown {
  if (!(refusal instanceof Fault) || refusal.code !== 'credential-refused') return refusal;
  return new Fault(refusal.code, whyUnknown(pasted));
}

function whyUnknown(pasted: string): string {
  if (isMistypedSecret(pasted)) return 'This API key is mistyped: its last characters do not fit the others.';
  if (!isKeySecret(pasted))
    return 'This is an operator token, which opens the admin API only. Paste an API key.';
  return 'No stack has this API key: it is cut off or of another gateway, was revoked or replaced, has expired, or its stack is disabled.';
}
