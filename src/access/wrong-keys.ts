import { Fault } from '../faults/fault.ts';
import { addressGroup } from '../lib/address-group.ts';
import type { WallClock } from '../lib/wall-clock.ts';

const WINDOW_MS = 60_000;
/** Wrong keys per address and minute before it gets 429. */
export const WRONG_KEYS_PER_MINUTE = 100;
const MAX_ADDRESSES = 10_000;

interface Window {
  readonly sinceMs: number;
  wrong: number;
}

/** An address with too many wrong keys within a minute. */
export interface ManyWrongKeys {
  /** The address, or the /64 of an IPv6 address. */
  readonly client: string;
  readonly wrongKeys: number;
}

/** Counts wrong keys per address. Valid keys are never refused here. */
export class WrongKeys {
  readonly #clock: WallClock;
  readonly #onMany: (many: ManyWrongKeys) => void;
  readonly #credentialName: string;
  readonly #windows = new Map<string, Window>();

  /** `onMany` is called once the minute of an address is over. */
  constructor(
    clock: WallClock,
    onMany: (many: ManyWrongKeys) => void = () => {},
    credentialName = 'API key',
  ) {
    this.#clock = clock;
    this.#onMany = onMany;
    this.#credentialName = credentialName;
  }

  /** Whether the next wrong key of an address group gets 429. */
  areTooMany(group: string): boolean {
    return (this.#running(group)?.wrong ?? 0) >= WRONG_KEYS_PER_MINUTE;
  }

  /** Counts a wrong key and returns its refusal: 401, or 429 above 100 a minute. */
  refusal(address: string): Fault {
    const client = addressGroup(address);
    const window = this.#running(client) ?? this.#open(client);
    window.wrong++;
    if (window.wrong <= WRONG_KEYS_PER_MINUTE) {
      return new Fault(
        'credential-refused',
        `The ${this.#credentialName} is missing or not valid. Send it as "Authorization: Bearer <${this.#credentialName.split(' ').at(-1)}>".`,
      );
    }
    const leftMs = window.sinceMs + WINDOW_MS - this.#clock.nowMs();
    if (window.wrong === WRONG_KEYS_PER_MINUTE + 1) {
      setTimeout(() => this.#onMany({ client, wrongKeys: window.wrong }), leftMs).unref();
    }
    return new Fault(
      'too-many-wrong-keys',
      `This address sent more than ${WRONG_KEYS_PER_MINUTE} wrong ${this.#credentialName}s within a minute. A valid one is still served.`,
      { retryAfterSeconds: leftMs / 1000 },
    );
  }

  #running(group: string): Window | undefined {
    const window = this.#windows.get(group);
    const ageMs = window === undefined ? WINDOW_MS : this.#clock.nowMs() - window.sinceMs;
    // After the clock was set back, a window may seem to be from the future.
    return ageMs >= 0 && ageMs < WINDOW_MS ? window : undefined;
  }

  #open(group: string): Window {
    this.#windows.delete(group);
    if (this.#windows.size >= MAX_ADDRESSES) this.#forgetOldest();
    const window = { sinceMs: this.#clock.nowMs(), wrong: 0 };
    this.#windows.set(group, window);
    return window;
  }

  #forgetOldest(): void {
    const oldest = this.#windows.keys().next();
    if (!oldest.done) this.#windows.delete(oldest.value);
  }
}
