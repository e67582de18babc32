import { type Clock, systemClock } from '../../../lib/clock.ts';
import { type WallClock, wallClock } from '../../../lib/wall-clock.ts';
import type { Lifecycle } from '../../../supervision/lifecycle.ts';
import type { Log } from '../../../telemetry/log.ts';
import type { PdfEngine, PrintedDocument, PrintJob } from '../../pdf-engine.ts';
import type { PdfObserver } from '../../pdf-observer.ts';
import type { Browser } from './browser.ts';
import { BrowserGone, PageCrashed, PrintTimedOut, TooManyPages } from './browser-errors.ts';
import { BrowserKeeper } from './browser-keeper.ts';
import { BrowserLauncher } from './browser-launcher.ts';
import { DocumentPage } from './document-page.ts';
import { installedBrowsers } from './find-browser.ts';
import type { Rung, SandboxRule } from './launch-ladder.ts';
import { PdfObjects } from './pdf-objects.ts';
import { printFault, printOutcome } from './print-faults.ts';
import { stampMetadata } from './stamp-metadata.ts';
import { unlessAborted } from './unless-aborted.ts';

export interface ChromiumEngineOptions {
  readonly dataDir: string;
  /** The executable; absent: an installed browser, else the packaged one. */
  readonly executable?: string | undefined;
  readonly installed?: readonly string[];
  readonly sandbox: SandboxRule;
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  readonly recycleAfter?: number;
  readonly log: Log;
  readonly observer: PdfObserver;
  readonly clock?: Clock;
  readonly wallClock?: WallClock;
}

const RECYCLE_AFTER_DOCUMENTS = 500;
/** How long the browser of documents that stand back is kept for the next one. */
const IDLE_MS = 30_000;

/**
 * Prints with headless Chromium: one warm browser, a new context per document. Documents that stand back have a browser with
 * a lower priority while there are any, because a process without rights can never raise a priority again.
 */
export class ChromiumEngine implements PdfEngine {
  readonly #options: ChromiumEngineOptions;
  readonly #clock: Clock;
  readonly #launcher: BrowserLauncher;
  readonly #keeper: BrowserKeeper;
  readonly #lowKeeper: BrowserKeeper;
  /** Cleanup after documents: contexts to dispose of, browsers to replace. */
  readonly #afterwards = new Set<Promise<void>>();

  constructor(options: ChromiumEngineOptions) {
    const { log, observer, memoryBytes, dataDir, executable, sandbox, clock = systemClock } = options;
    const { installed = installedBrowsers, recycleAfter = RECYCLE_AFTER_DOCUMENTS } = options;
    this.#options = options;
    this.#clock = clock;
    const launcher = new BrowserLauncher({ dataDir, executable, installed, sandbox, log, clock });
    const kept = { launcher, memoryBytes, recycleAfter, clock, log, observer };
    this.#launcher = launcher;
    this.#keeper = new BrowserKeeper({ ...kept, priority: 'heavy' });
    this.#lowKeeper = new BrowserKeeper({ ...kept, priority: 'background', idleMs: IDLE_MS });
  }

  get lifecycle(): Lifecycle {
    return this.#keeper;
  }

  /** How the last browser was started; undefined before the first. */
  get rung(): Pick<Rung, 'name' | 'isSandboxed'> | undefined {
    return this.#keeper.rung;
  }

  /** Process ids of the running browsers. */
  get processIds(): readonly number[] {
    return [...this.#keeper.processIds, ...this.#lowKeeper.processIds];
  }

  async print(job: PrintJob, signal: AbortSignal): Promise<PrintedDocument> {
    const { observer } = this.#options;
    try {
      const printed = await this.#printSomehow(job, signal);
      observer.documentEnded('printed');
      observer.pagesPrinted(printed.pages);
      return printed;
    } catch (error) {
      observer.documentEnded(printOutcome(error, signal));
      signal.throwIfAborted();
      throw printFault(error, { job, timeoutMs: this.#options.timeoutMs });
    }
  }

  /** Resolves when no process or file is left. */
  async close(): Promise<void> {
    await Promise.all([this.#keeper.close(), this.#lowKeeper.close()]);
    await this.#launcher.close();
    await Promise.all(this.#afterwards);
  }

  /**
   * A dying browser takes every document in it along; each is retried once in a browser of its own, so that the guilty one
   * affects no others.
   */
  async #printSomehow(job: PrintJob, signal: AbortSignal): Promise<PrintedDocument> {
    const keeper = this.#keeperFor(job);
    const shared = await keeper.shared(signal);
    try {
      return await this.#printWithin(shared, job, signal);
    } catch (error) {
      if (signal.aborted || !(await this.#isToBlame(shared, error, signal))) throw error;
    }
    const own = await keeper.alone(signal);
    try {
      return await this.#printWithin(own, job, signal);
    } finally {
      await own.end('alone');
    }
  }

  #keeperFor({ standsBack = false }: PrintJob): BrowserKeeper {
    if (!standsBack || this.#keeper.state !== 'ready') return this.#keeper;
    // Until it is ready, documents go on in the other: waiting for it takes longer than most of them.
    this.#lowKeeper.warmUp();
    return this.#lowKeeper.state === 'ready' ? this.#lowKeeper : this.#keeper;
  }

  /** Whether the browser is at fault: it is gone, or has lost its zygote process and fails every page from now on. */
  async #isToBlame(browser: Browser, error: unknown, signal: AbortSignal): Promise<boolean> {
    if (error instanceof BrowserGone) return true;
    if (!(error instanceof PageCrashed)) return false;
    try {
      await this.#printWithin(browser, { html: '', maxPages: 1 }, signal);
      return false;
    } catch {
      if (!signal.aborted) browser.retire('stuck');
      return true;
    }
  }

  async #printWithin(browser: Browser, job: PrintJob, signal: AbortSignal): Promise<PrintedDocument> {
    const { timeoutMs } = this.#options;
    const late = new AbortController();
    const timer = this.#clock.after(timeoutMs, () =>
      late.abort(new PrintTimedOut(`not printed in ${timeoutMs} ms`)),
    );
    try {
      return await this.#printIn(browser, job, AbortSignal.any([signal, late.signal]));
    } finally {
      timer.cancel();
    }
  }

  async #printIn(browser: Browser, job: PrintJob, signal: AbortSignal): Promise<PrintedDocument> {
    const { contextId, leave } = browser.enter();
    let page: DocumentPage | undefined;
    try {
      page = await DocumentPage.open(browser, await unlessAborted(contextId, signal), signal);
      return await this.#printPage(page, job);
    } finally {
      page?.close();
      this.#later(leave().then(() => this.#documentDone(browser)));
    }
  }

  async #printPage(page: DocumentPage, { html, maxPages }: PrintJob): Promise<PrintedDocument> {
    const { observer, wallClock: today = wallClock } = this.#options;
    const startedMs = this.#clock.nowMs();
    await page.load(html, this.#clock);
    const laidOutMs = this.#clock.nowMs();
    // One extra page shows that there are too many; a document of thousands is never printed whole.
    const bytes = await page.print(maxPages + 1);
    const objects = new PdfObjects(bytes);
    const pages = objects.pageCount;
    if (pages > maxPages) throw new TooManyPages(`${pages} pages were printed, ${maxPages} are allowed`);
    stampMetadata(bytes, objects, today.nowMs());
    observer.stepTook('layout', (laidOutMs - startedMs) / 1000);
    observer.stepTook('print', (this.#clock.nowMs() - laidOutMs) / 1000);
    return { bytes, pages, blockedReferences: page.blockedReferences };
  }

  async #documentDone(browser: Browser): Promise<void> {
    // Only the one whose browser it is has something to do.
    await Promise.all([this.#keeper.documentDone(browser), this.#lowKeeper.documentDone(browser)]);
  }

  #later(work: Promise<void>): void {
    const settled = work
      .catch((error: unknown) => this.#options.log.warn({ error }, 'pdf browser did not clean up'))
      .finally(() => this.#afterwards.delete(settled));
    this.#afterwards.add(settled);
  }
}
