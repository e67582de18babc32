import { rm } from 'node:fs/promises';
import type { Clock, Timer } from '../../../lib/clock.ts';
import type { BrowserEndReason } from '../../pdf-observer.ts';
import { BrowserGone } from './browser-errors.ts';
import type { BrowserProcess } from './browser-process.ts';
import { type DevToolsPipe, textField } from './devtools-pipe.ts';
import { processTree } from './process-tree.ts';
import { unlessAborted } from './unless-aborted.ts';

export interface BrowserOptions {
  readonly process: BrowserProcess;
  readonly profile: string;
  /** Memory bound for all its processes; above it the largest is killed. */
  readonly memoryBytes: number;
  readonly clock: Clock;
  readonly onPageKilled: () => void;
  readonly onEnded: (browser: Browser, reason: BrowserEndReason) => void;
}

const WATCH_MS = 500;
const DISPOSE_TIMEOUT_MS = 5_000;

/** A browser that prints documents until it is retired or lost. Its profile is removed with it. */
export class Browser {
  readonly #options: BrowserOptions;
  readonly #ended: Promise<void>;
  #watchTimer: Timer | undefined;
  #inFlight = 0;
  #documents = 0;
  #isRetired = false;
  #endReason: BrowserEndReason = 'crashed';

  constructor(options: BrowserOptions) {
    this.#options = options;
    this.#ended = this.#cleanUp();
  }

  get pipe(): DevToolsPipe {
    return this.#options.process.pipe;
  }

  get processId(): number {
    return this.#options.process.id;
  }

  /** Whether it accepts another document. */
  get isUsable(): boolean {
    return !this.#isRetired && !this.#options.process.hasExited;
  }

  /** Documents so far. */
  get documents(): number {
    return this.#documents;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** A new context for one document. Its id may arrive late; `leave` disposes of it anyway. */
  enter(): { readonly contextId: Promise<string>; readonly leave: () => Promise<void> } {
    if (this.#options.process.hasExited) throw new BrowserGone('the browser ended');
    this.#documents += 1;
    this.#inFlight += 1;
    this.#watch();
    const contextId = this.#createContext();
    // Avoids an unhandled rejection if nobody awaits it.
    contextId.catch(() => {});
    const leave = async () => {
      await this.#dispose(contextId);
      this.#inFlight -= 1;
      if (this.#inFlight > 0) return;
      this.#watchTimer?.cancel();
      this.#watchTimer = undefined;
      if (this.#isRetired) await this.end(this.#endReason);
    };
    return { contextId, leave };
  }

  /** Ends it as soon as it is idle. */
  retire(reason: BrowserEndReason): void {
    this.#isRetired = true;
    this.#endReason = reason;
    if (this.#inFlight === 0) void this.end(reason);
  }

  /** Ends it now. Resolves when no process or file of it is left. */
  async end(reason: BrowserEndReason): Promise<void> {
    this.#isRetired = true;
    this.#endReason = reason;
    await this.#options.process.kill();
    await this.#ended;
  }

  /** Private memory of its processes. */
  async memoryBytes(): Promise<number> {
    const tree = processTree(this.processId);
    return tree.reduce((sum, { privateBytes }) => sum + privateBytes, 0);
  }

  async #createContext(): Promise<string> {
    const params = { disposeOnDetach: true };
    const made = await this.pipe.call('Target.createBrowserContext', params, { signal: this.pipe.closed });
    return textField(made, 'browserContextId');
  }

  async #dispose(contextId: Promise<string>): Promise<void> {
    const late = new AbortController();
    const timer = this.#options.clock.after(DISPOSE_TIMEOUT_MS, () => late.abort());
    try {
      const params = { browserContextId: await unlessAborted(contextId, late.signal) };
      await this.pipe.call('Target.disposeBrowserContext', params, { signal: late.signal });
    } catch {
      // It answers within milliseconds even while a page hangs; otherwise the browser itself hangs.
      if (late.signal.aborted) await this.end('stuck');
    } finally {
      timer.cancel();
    }
  }

  #watch(): void {
    this.#watchTimer ??= this.#options.clock.after(WATCH_MS, () => {
      void this.#checkMemory().finally(() => {
        this.#watchTimer = undefined;
        if (this.#inFlight > 0 && !this.#options.process.hasExited) this.#watch();
      });
    });
  }

  /** If all processes together are too large, kills the largest: the page that grew, and only its document. */
  async #checkMemory(): Promise<void> {
    const tree = processTree(this.processId);
    const total = tree.reduce((sum, { privateBytes }) => sum + privateBytes, 0);
    if (total <= this.#options.memoryBytes) return;
    const largest = tree.reduce((one, other) => (other.privateBytes > one.privateBytes ? other : one));
    if (largest.id === this.processId) {
      await this.end('memory');
      return;
    }
    this.#options.onPageKilled();
    try {
      process.kill(largest.id, 'SIGKILL');
    } catch {
      // It exited in the meantime.
    }
  }

  async #cleanUp(): Promise<void> {
    const { process: child, profile, onEnded } = this.#options;
    await child.exited;
    this.#watchTimer?.cancel();
    if (!this.#isRetired) await child.kill();
    // Leftovers are removed with the home.
    await rm(profile, { recursive: true, force: true, maxRetries: 10 }).catch(() => {});
    onEnded(this, this.#isRetired ? this.#endReason : 'crashed');
  }
}
