import { BlockList, isIPv6 } from 'node:net';
import { addressGroup } from '../lib/address-group.ts';

export interface ConnectionSlotsOptions {
  readonly inAll: number;
  readonly perAddress: number;
  /** The trusted proxies. They carry the connections of many clients, so `perAddress` does not apply to them. */
  readonly trustProxy: boolean | readonly string[];
}

/** Bounds the open connections, in all and per address. */
export class ConnectionSlots {
  readonly #options: ConnectionSlotsOptions;
  readonly #isProxy: (address: string) => boolean;
  readonly #byAddress = new Map<string, number>();
  #inAll = 0;

  constructor(options: ConnectionSlotsOptions) {
    this.#options = options;
    this.#isProxy = proxyTest(options.trustProxy);
  }

  /** Takes a slot; returns the function that releases it, to be called once, or `undefined` if none is free. */
  take(address: string): (() => void) | undefined {
    if (this.#inAll >= this.#options.inAll) return undefined;
    const group = this.#isProxy(address) ? undefined : addressGroup(address);
    const ofGroup = group === undefined ? 0 : (this.#byAddress.get(group) ?? 0);
    if (ofGroup >= this.#options.perAddress) return undefined;
    this.#inAll++;
    if (group !== undefined) this.#byAddress.set(group, ofGroup + 1);
    return () => this.#release(group);
  }

  #release(group: string | undefined): void {
    this.#inAll--;
    if (group === undefined) return;
    const left = (this.#byAddress.get(group) ?? 0) - 1;
    if (left > 0) this.#byAddress.set(group, left);
    else this.#byAddress.delete(group);
  }
}

function proxyTest(trustProxy: boolean | readonly string[]): (address: string) => boolean {
  if (typeof trustProxy === 'boolean') return () => trustProxy;
  const proxies = new BlockList();
  for (const entry of trustProxy) addRange(proxies, entry);
  return (address) => proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

function addRange(list: BlockList, entry: string): void {
  const [address = '', prefix] = entry.split('/');
  const type = isIPv6(address) ? 'ipv6' : 'ipv4';
  if (prefix === undefined) list.addAddress(address, type);
  else list.addSubnet(address, Number(prefix), type);
}
