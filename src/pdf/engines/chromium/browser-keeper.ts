import type { Clock, Timer } from '../../../lib/clock.ts';
import { Backoff, defaultBackoff } from '../../../supervision/backoff.ts';
import type { ChildPriority } from '../../../supervision/child-priority.ts';
import type { EngineState, Lifecycle } from '../../../supervision/lifecycle.ts';
import type { Log } from '../../../telemetry/log.ts';
import type { BrowserEndReason, PdfObserver } from '../../pdf-observer.ts';
import { Browser } from './browser.ts';
import { BrowserUnavailable } from './browser-errors.ts';
import type { BrowserLauncher } from './browser-launcher.ts';
import type { Rung } from './launch-ladder.ts';
import { unlessAborted } from './unless-aborted.ts';

export interface BrowserKeeperOptions {
  readonly launcher: BrowserLauncher;
  readonly priority: ChildPriority;
  /** Ends the browser after this long without a document; absent: never. */
  readonly idleMs?: number;
  readonly memoryBytes: number;
  /** Documents per browser. */
  readonly recycleAfter: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly observer: PdfObserver;
}

// Scanning all processes takes milliseconds, and a browser grows slowly.
const GROWTH_CHECK_DOCUMENTS = 10;
const GROWTH_FRACTION = 0.5;

/** Keeps one warm browser: starts it on demand and after a loss, replaces it when worn out, and leaves none behind. */
export class BrowserKeeper implements Lifecycle {
  readonly #options: BrowserKeeperOptions;
  readonly #browsers = new Set<Browser>();
  readonly #stopping = new AbortController();
  #backoff = newBackoff();
  #current: Browser | undefined;
  #starting: Promise<Browser> | undefined;
  #renewing: Promise<void> | undefined;
  #rung: Rung | undefined;
  #idleTimer: Timer | undefined;
  #failure: { readonly error: unknown; readonly untilMs: number } | undefined;

  constructor(options: BrowserKeeperOptions) {
    this.#options = options;
  }

  get state(): EngineState {
    if (this.#current?.isUsable === true) return 'ready';
    if (this.#failure !== undefined) return 'degraded';
    return this.#starting === undefined ? 'paused' : 'starting';
  }

  /** How the last browser was started; undefined before the first. */
  get rung(): Rung | undefined {
    return this.#rung;
  }

  /** Process ids of the running browsers. */
  get processIds(): readonly number[] {
    return [...this.#browsers].map((browser) => browser.processId);
  }

  async ready(signal: AbortSignal): Promise<void> {
    await this.shared(signal);
  }

  /** The browser shared by documents. */
  async shared(signal: AbortSignal): Promise<Browser> {
    signal.throwIfAborted();
    if (this.#current?.isUsable === true) return this.#current;
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return await unlessAborted(this.#starting, signal);
  }

  /** Starts the browser if there is none; does not wait for it. */
  warmUp(): void {
    // A failure is logged where it happens.
    this.shared(this.#stopping.signal).catch(() => {});
  }

  /** A browser for one document; its user ends it. */
  async alone(signal: AbortSignal): Promise<Browser> {
    return await this.#launch(AbortSignal.any([signal, this.#stopping.signal]));
  }

  /** Checks after a document whether the browser is worn out. */
  async documentDone(browser: Browser): Promise<void> {
    if (browser !== this.#current || this.#renewing !== undefined) return;
    this.#endWhenIdle(browser);
    if (!(await this.#isWornOut(browser)) || browser !== this.#current) return;
    this.#renewing ??= this.#renew(browser).finally(() => {
      this.#renewing = undefined;
    });
    await this.#renewing;
  }

  /** Ends every browser. Resolves when no process of them is left. */
  async close(): Promise<void> {
    this.#stopping.abort(new BrowserUnavailable('the gateway is stopping'));
    this.#idleTimer?.cancel();
    await Promise.allSettled([this.#starting, this.#renewing]);
    await Promise.all([...this.#browsers].map((browser) => browser.end('stopped')));
  }

  async #start(): Promise<Browser> {
    const { clock, log } = this.#options;
    const waitMs = (this.#failure?.untilMs ?? 0) - clock.nowMs();
    if (waitMs > 0) {
      throw new BrowserUnavailable('the browser did not start a moment ago', {
        cause: this.#failure?.error,
        retryAfterSeconds: waitMs / 1000,
      });
    }
    try {
      const browser = await this.#launch(this.#stopping.signal);
      this.#share(browser);
      this.#failure = undefined;
      this.#backoff = newBackoff();
      return browser;
    } catch (error) {
      this.#failure = { error, untilMs: clock.nowMs() + this.#backoff.delayAfterCrash(0) };
      log.error({ error }, 'pdf browser unavailable');
      throw error;
    }
  }

  async #launch(signal: AbortSignal): Promise<Browser> {
    const { launcher, priority, memoryBytes, clock, log, observer } = this.#options;
    const { rung, ...launched } = await launcher.launch(priority, signal);
    this.#rung = rung;
    observer.browserStarted(rung.name);
    const browser = new Browser({
      ...launched,
      memoryBytes,
      clock,
      onPageKilled: () => {
        observer.pageKilled();
        log.warn({ memoryBytes }, 'pdf page ended for its memory');
      },
      onEnded: (ended, reason) => this.#onEnded(ended, reason),
    });
    this.#browsers.add(browser);
    return browser;
  }

  #share(browser: Browser): void {
    this.#current = browser;
    // The documents that it was started for may be printed already, and no other come.
    this.#endWhenIdle(browser);
  }

  #onEnded(browser: Browser, reason: BrowserEndReason): void {
    this.#browsers.delete(browser);
    if (this.#current === browser) this.#current = undefined;
    this.#options.observer.browserEnded(reason);
    const isNormal = reason === 'stopped' || reason === 'recycled' || reason === 'idle' || reason === 'alone';
    const { documents } = browser;
    if (isNormal) this.#options.log.debug({ reason, documents }, 'pdf browser ended');
    else this.#options.log.warn({ reason, documents }, 'pdf browser lost');
  }

  #endWhenIdle(browser: Browser): void {
    const { idleMs, clock } = this.#options;
    if (idleMs === undefined || this.#stopping.signal.aborted) return;
    this.#idleTimer?.cancel();
    const { documents } = browser;
    this.#idleTimer = clock.after(idleMs, () => {
      if (browser.inFlight === 0 && browser.documents === documents) browser.retire('idle');
    });
  }

  async #isWornOut(browser: Browser): Promise<boolean> {
    if (browser.documents >= this.#options.recycleAfter) return true;
    if (browser.inFlight > 0 || browser.documents % GROWTH_CHECK_DOCUMENTS !== 0) return false;
    return (await browser.memoryBytes()) > this.#options.memoryBytes * GROWTH_FRACTION;
  }

  /** The new one starts while the old one still serves, so that no document waits. */
  async #renew(old: Browser): Promise<void> {
    try {
      const fresh = await this.#launch(this.#stopping.signal);
      if (this.#current === old || this.#current === undefined) this.#share(fresh);
      else fresh.retire('recycled');
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.#options.log.warn({ error }, 'pdf browser not replaced');
      return;
    }
    old.retire('recycled');
  }
}

function newBackoff(): Backoff {
  return new Backoff(defaultBackoff, Math.random);
}
