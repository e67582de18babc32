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
  /** What its processes may use together before the largest of them is ended. */
  readonly memoryBytes: number;
  readonly clock: Clock;
  readonly onPageKilled: () => void;
  readonly onEnded: (browser: Browser, reason: BrowserEndReason) => void;
}

const WATCH_MS = 500;
const DISPOSE_TIMEOUT_MS = 5_000;

/** A browser that prints documents, until it is retired, given up or lost. Its profile goes with it. */
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

  /** Whether it takes another document. */
  get isUsable(): boolean {
    return !this.#isRetired && !this.#options.process.hasExited;
  }

  /** How many documents it was given, ever. */
  get documents(): number {
    return this.#documents;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** A fresh context for one document. Its id may come late; `leave` throws it away all the same. */
  enter(): { readonly contextId: Promise<string>; readonly leave: () => Promise<void> } {
    if (this.#options.process.hasExited) throw new BrowserGone('the browser ended');
    this.#documents += 1;
    this.#inFlight += 1;
    this.#watch();
    const contextId = this.#createContext();
    // Whoever waits for it hears of a failure; nobody may.
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

  /** Ends it as soon as it has nothing to do. */
  retire(reason: BrowserEndReason): void {
    this.#isRetired = true;
    this.#endReason = reason;
    if (this.#inFlight === 0) void this.end(reason);
  }

  /** Ends it now. Resolves when no process and no file of it is left. */
  async end(reason: BrowserEndReason): Promise<void> {
    this.#isRetired = true;
    this.#endReason = reason;
    await this.#options.process.kill();
    await this.#ended;
  }

  /** The memory that belongs to its processes alone. */
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
      // It answers this within milliseconds even while a page hangs; if not, it hangs itself.
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

  /** Ends the largest process where all are too large together: the page that grew, and with it one document only. */
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
      // It ended by itself in the meantime.
    }
  }

  async #cleanUp(): Promise<void> {
    const { process: child, profile, onEnded } = this.#options;
    await child.exited;
    this.#watchTimer?.cancel();
    if (!this.#isRetired) await child.kill();
    // What cannot be removed now goes with the home.
    await rm(profile, { recursive: true, force: true, maxRetries: 10 }).catch(() => {});
    onEnded(this, this.#isRetired ? this.#endReason : 'crashed');
  }
}
