import { BlockList, isIP } from 'node:net';
import type { KeyScope } from '../config/key-scopes.ts';
import { Fault } from '../faults/fault.ts';
import type { Caller } from './caller.ts';

/** The bounds of a key with less power than its stack. */
export interface KeyRestrictions {
  /** Absent: every part of the API. */
  readonly scopes: readonly KeyScope[] | undefined;
  /** Addresses and ranges that may use the key; absent: all. */
  readonly allowedIps: readonly string[] | undefined;
  /** Whether it may neither change nor cost anything. */
  readonly readOnly: boolean;
}

/** A use of the API, as far as restrictions tell it apart. */
export interface GuardedUse {
  /** Absent: the right was given with a signed link. */
  readonly scope?: KeyScope | undefined;
  /** Whether it neither changes nor costs anything. */
  readonly isForReaders: boolean;
}

/** Refuses what a key may not do. Only asked about keys with restrictions. */
export class KeyGuard {
  /** Compiled once for each caller, which is the same object for many requests. */
  readonly #addresses = new WeakMap<KeyRestrictions, BlockList>();

  /** Throws the fault of the first restriction in the way: address, scope, reading only. */
  check(restrictions: KeyRestrictions, use: GuardedUse, address: string): void {
    const refusal = this.refusal(restrictions, use, address);
    if (refusal !== undefined) throw refusal;
  }

  /** The fault that `check` throws. */
  refusal(restrictions: KeyRestrictions, use: GuardedUse, address: string): Fault | undefined {
    if (!this.#isAllowed(restrictions, address))
      return new Fault('address-not-allowed', 'This key may not be used from this address.');
    const { scopes, readOnly } = restrictions;
    if (use.scope !== undefined && scopes?.includes(use.scope) === false) {
      const message = `This needs a key with the scope \`${use.scope}\`; this one has ${quoted(scopes)}.`;
      return new Fault('scope-not-allowed', message);
    }
    if (readOnly && !use.isForReaders)
      return new Fault('key-read-only', 'This key may only read; it is `read_only`.');
    return undefined;
  }

  #isAllowed(restrictions: KeyRestrictions, address: string): boolean {
    const { allowedIps } = restrictions;
    if (allowedIps === undefined) return true;
    const list = this.#addresses.get(restrictions) ?? blockListOf(allowedIps);
    this.#addresses.set(restrictions, list);
    return isIn(list, address);
  }
}

/** Whether a key with these addresses and ranges may be used from an address; `undefined`: from all. */
export function isAllowedAddress(allowedIps: readonly string[] | undefined, address: string): boolean {
  return allowedIps === undefined || isIn(blockListOf(allowedIps), address);
}

/** Whether the restrictions of a key, if it has any, permit a use from inside a request. */
export function permitsUse({ key }: Caller, { scope, isForReaders }: GuardedUse): boolean {
  if (key.restrictions === undefined) return true;
  const { scopes, readOnly } = key.restrictions;
  return (scope === undefined || scopes?.includes(scope) !== false) && (!readOnly || isForReaders);
}

function isIn(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** Throws if the key may only read; for a cost that shows while a request is served. */
export function requireSpender({ key }: Caller): void {
  if (key.restrictions?.readOnly !== true) return;
  throw new Fault(
    'key-read-only',
    'This key may only read, and this model server can count only by writing a token, which costs something.',
  );
}

function blockListOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

function quoted(scopes: readonly KeyScope[]): string {
  return scopes.map((scope) => `\`${scope}\``).join(', ');
}
