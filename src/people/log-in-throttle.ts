import { Fault } from '../faults/fault.ts';
import { addressGroup } from '../lib/address-group.ts';
import type { WallClock } from '../lib/wall-clock.ts';

const WINDOW_MS = 15 * 60_000;
/** Failed log-ins in 15 minutes, from one address and to one account. */
export const FAILURES_PER_ADDRESS = 30;
export const FAILURES_PER_ACCOUNT = 10;
/** Log-ins with one key in 15 minutes: each leaves a row in the audit for good. */
export const LOG_INS_PER_KEY = 20;
const MAX_REMEMBERED = 10_000;

/** A log-in that was counted as a failure until it succeeds. */
export interface CountedAttempt {
  succeed(): void;
}

/** Bounds the guesses of passwords, per address and per account, and the log-ins with a key. */
export class LogInThrottle {
  readonly #addresses: LogInCounts;
  readonly #accounts: LogInCounts;
  readonly #keys: LogInCounts;

  constructor(clock: WallClock) {
    const otherwise = ', or use a link of "stackgate console reset"';
    const [ofAddress, ofAccount] = ['failed log-ins from this address', 'failed log-ins for this name'];
    this.#addresses = new LogInCounts(clock, { bound: FAILURES_PER_ADDRESS, what: ofAddress, otherwise });
    this.#accounts = new LogInCounts(clock, { bound: FAILURES_PER_ACCOUNT, what: ofAccount, otherwise });
    this.#keys = new LogInCounts(clock, { bound: LOG_INS_PER_KEY, what: 'log-ins with this key' });
  }

  /** Counts before the password is checked, so that guesses at the same time count too. Throws if there were too many. */
  begin(address: string, account?: string): CountedAttempt {
    const group = addressGroup(address);
    this.#addresses.require(group);
    if (account !== undefined) this.#accounts.require(account);
    this.#addresses.add(group);
    if (account !== undefined) this.#accounts.add(account);
    return {
      succeed: () => {
        this.#addresses.takeBack(group);
        if (account !== undefined) this.#accounts.forget(account);
      },
    };
  }

  /** Counts a log-in with a key, which is named `STACK/KEY`. Throws if there were too many. */
  countKey(key: string): void {
    this.#keys.require(key);
    this.#keys.add(key);
  }
}

interface Window {
  readonly sinceMs: number;
  count: number;
}

interface CountRule {
  readonly bound: number;
  /** The counted thing, in refusals. */
  readonly what: string;
  /** The way around a wait, in refusals. */
  readonly otherwise?: string;
}

class LogInCounts {
  readonly #clock: WallClock;
  readonly #rule: CountRule;
  readonly #windows = new Map<string, Window>();

  constructor(clock: WallClock, rule: CountRule) {
    this.#clock = clock;
    this.#rule = rule;
  }

  require(of: string): void {
    const { bound, what, otherwise = '' } = this.#rule;
    const window = this.#running(of);
    if (window === undefined || window.count < bound) return;
    const leftMs = window.sinceMs + WINDOW_MS - this.#clock.nowMs();
    const minutes = Math.max(1, Math.ceil(leftMs / 60_000));
    throw new Fault(
      'too-many-log-ins',
      `There were ${bound} ${what} in 15 minutes. Try again in ${minutes} minutes${otherwise}.`,
      { retryAfterSeconds: leftMs / 1000 },
    );
  }

  add(to: string): void {
    const window = this.#running(to) ?? this.#open(to);
    window.count += 1;
  }

  takeBack(from: string): void {
    const window = this.#running(from);
    if (window !== undefined) window.count = Math.max(0, window.count - 1);
  }

  forget(of: string): void {
    this.#windows.delete(of);
  }

  #running(of: string): Window | undefined {
    const window = this.#windows.get(of);
    const ageMs = window === undefined ? WINDOW_MS : this.#clock.nowMs() - window.sinceMs;
    // After the clock was set back, a window may seem to be from the future.
    return ageMs >= 0 && ageMs < WINDOW_MS ? window : undefined;
  }

  #open(of: string): Window {
    this.#windows.delete(of);
    if (this.#windows.size >= MAX_REMEMBERED) {
      const oldest = this.#windows.keys().next();
      if (!oldest.done) this.#windows.delete(oldest.value);
    }
    const window = { sinceMs: this.#clock.nowMs(), count: 0 };
    this.#windows.set(of, window);
    return window;
  }
}
