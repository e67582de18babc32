import proxyAddress from 'proxy-addr';
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
  readonly #isProxy: (address: string, hop: number) => boolean;
  readonly #byAddress = new Map<string, number>();
  #inAll = 0;

  constructor(options: ConnectionSlotsOptions) {
    this.#options = options;
    const { trustProxy } = options;
    this.#isProxy =
      typeof trustProxy === 'boolean' ? () => trustProxy : proxyAddress.compile([...trustProxy]);
  }

  /** Takes a slot; returns the function that releases it, to be called once, or `undefined` if none is free. */
  take(address: string): (() => void) | undefined {
    if (this.#inAll >= this.#options.inAll) return undefined;
    const group = this.#isProxy(address, 0) ? undefined : addressGroup(address);
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
