import { Fault } from '../faults/fault.ts';
import { addressGroup } from '../lib/address-group.ts';
import type { WallClock } from '../lib/wall-clock.ts';

const WINDOW_MS = 15 * 60_000;
/** Failed log-ins in 15 minutes, from one address and to one account. */
export const FAILURES_PER_ADDRESS = 30;
export const FAILURES_PER_ACCOUNT = 10;
const MAX_REMEMBERED = 10_000;

/** A log-in that was counted as a failure until it succeeds. */
export interface CountedAttempt {
  succeed(): void;
}

/** Bounds the guesses of passwords, per address and per account. */
export class LogInThrottle {
  readonly #addresses: Failures;
  readonly #accounts: Failures;

  constructor(clock: WallClock) {
    this.#addresses = new Failures(clock, FAILURES_PER_ADDRESS);
    this.#accounts = new Failures(clock, FAILURES_PER_ACCOUNT);
  }

  /** Counts before the password is checked, so that guesses at the same time count too. Throws if there were too many. */
  begin(address: string, account?: string): CountedAttempt {
    const group = addressGroup(address);
    this.#addresses.require(group, 'from this address');
    if (account !== undefined) this.#accounts.require(account, 'for this name');
    this.#addresses.add(group);
    if (account !== undefined) this.#accounts.add(account);
    return {
      succeed: () => {
        this.#addresses.takeBack(group);
        if (account !== undefined) this.#accounts.forget(account);
      },
    };
  }
}

interface Window {
  readonly sinceMs: number;
  count: number;
}

class Failures {
  readonly #clock: WallClock;
  readonly #bound: number;
  readonly #windows = new Map<string, Window>();

  constructor(clock: WallClock, bound: number) {
    this.#clock = clock;
    this.#bound = bound;
  }

  require(of: string, where: string): void {
    const window = this.#running(of);
    if (window === undefined || window.count < this.#bound) return;
    const leftMs = window.sinceMs + WINDOW_MS - this.#clock.nowMs();
    const minutes = Math.max(1, Math.ceil(leftMs / 60_000));
    throw new Fault(
      'too-many-log-ins',
      `There were ${this.#bound} failed log-ins ${where} in 15 minutes. Try again in ${minutes} minutes, or use a link of "stackgate console reset".`,
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
