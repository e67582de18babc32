import { Fault } from '../faults/fault.ts';
import { addressGroup } from '../lib/address-group.ts';
import type { WallClock } from '../lib/wall-clock.ts';

const WINDOW_MS = 60_000;
/** How many wrong keys an address may send in a minute before it is told 429. */
export const WRONG_KEYS_PER_MINUTE = 100;
const MAX_ADDRESSES = 10_000;

interface Window {
  readonly sinceMs: number;
  wrong: number;
}

/** Counts wrong keys per address. Valid keys are never refused here. */
export class WrongKeys {
  readonly #clock: WallClock;
  readonly #windows = new Map<string, Window>();

  constructor(clock: WallClock) {
    this.#clock = clock;
  }

  /** Counts a wrong key, and says how its sender is refused: at first with 401, over 100 in a minute with 429. */
  refusal(address: string): Fault {
    const window = this.#windowOf(addressGroup(address));
    window.wrong++;
    if (window.wrong <= WRONG_KEYS_PER_MINUTE) {
      return new Fault(
        'credential-refused',
        'The API key is missing or not valid. Send it as "Authorization: Bearer <key>".',
      );
    }
    const leftMs = window.sinceMs + WINDOW_MS - this.#clock.nowMs();
    return new Fault(
      'too-many-wrong-keys',
      `This address sent more than ${WRONG_KEYS_PER_MINUTE} wrong API keys within a minute. A valid key is served at once.`,
      { retryAfterSeconds: leftMs / 1000 },
    );
  }

  #windowOf(group: string): Window {
    const nowMs = this.#clock.nowMs();
    const running = this.#windows.get(group);
    const ageMs = running === undefined ? WINDOW_MS : nowMs - running.sinceMs;
    // A clock that was set back makes a window look newer than now.
    if (running !== undefined && ageMs >= 0 && ageMs < WINDOW_MS) return running;
    this.#windows.delete(group);
    if (this.#windows.size >= MAX_ADDRESSES) this.#forgetOldest();
    const window = { sinceMs: nowMs, wrong: 0 };
    this.#windows.set(group, window);
    return window;
  }

  #forgetOldest(): void {
    const oldest = this.#windows.keys().next();
    if (!oldest.done) this.#windows.delete(oldest.value);
  }
}
