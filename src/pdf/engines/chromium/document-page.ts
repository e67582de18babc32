import { setMaxListeners } from 'node:events';
import type { Clock } from '../../../lib/clock.ts';
import { isRecord } from '../../../lib/json-record.ts';
import { BlockedReferences } from './blocked-references.ts';
import type { Browser } from './browser.ts';
import { CommandFailed, PageCrashed } from './browser-errors.ts';
import { type DevToolsEvent, type Fields, textField } from './devtools-pipe.ts';
import {
  AWAIT_RESOURCES,
  CONTENT_SECURITY_POLICY,
  DOCUMENT_URL,
  HIDE_WHAT_IS_MISSING,
} from './page-rules.ts';
import { A4_PAGE } from './paper.ts';
import { unlessAborted } from './unless-aborted.ts';

// Everything is embedded in the document: what takes longer to decode is printed as it is.
const RESOURCE_WAIT_MS = 10_000;
const CHUNK_BYTES = 4 * 1024 * 1024;
const MAX_FRAMES = 200;

/** One document in its own browser context, isolated from others and disposed of with it. */
export class DocumentPage {
  readonly #browser: Browser;
  readonly #sessionId: string;
  readonly #signal: AbortSignal;
  readonly #crash: AbortController;
  readonly #blocked = new BlockedReferences();
  readonly #unlisten: () => void;
  #html: string | undefined;
  #onLoad: () => void = () => {};

  private constructor(browser: Browser, sessionId: string, signal: AbortSignal, crash: AbortController) {
    this.#browser = browser;
    this.#sessionId = sessionId;
    this.#signal = signal;
    // Every pending call listens to it, and a document with many frames has many.
    setMaxListeners(0, signal);
    this.#crash = crash;
    this.#unlisten = browser.pipe.listen(sessionId, (event) => this.#hear(event));
  }

  /** Opens an empty page in a context. */
  static async open(browser: Browser, browserContextId: string, signal: AbortSignal): Promise<DocumentPage> {
    const call = (method: string, params: Fields) => browser.pipe.call(method, params, { signal });
    const target = await call('Target.createTarget', { url: 'about:blank', browserContextId });
    const { targetId } = target;
    const session = await call('Target.attachToTarget', { targetId, flatten: true });
    const crash = new AbortController();
    const page = new DocumentPage(
      browser,
      textField(session, 'sessionId'),
      AbortSignal.any([signal, crash.signal, browser.pipe.closed]),
      crash,
    );
    await Promise.all([
      page.#call('Inspector.enable', {}),
      page.#call('Page.enable', {}),
      page.#call('Log.enable', {}),
      page.#call('Emulation.setScriptExecutionDisabled', { value: true }),
      page.#call('Fetch.enable', { patterns: [{ urlPattern: '*' }] }),
    ]);
    return page;
  }

  get blockedReferences(): number {
    return this.#blocked.count;
  }

  /** Loads the document and prepares it for printing. */
  async load(html: string, clock: Clock): Promise<void> {
    this.#html = html;
    const loaded = new Promise<void>((resolve) => {
      this.#onLoad = resolve;
    });
    const { errorText } = await this.#call('Page.navigate', { url: DOCUMENT_URL });
    if (errorText !== undefined) throw new CommandFailed(`the document was not taken: ${errorText}`);
    await unlessAborted(loaded, this.#signal);
    const worlds = await this.#worlds();
    await this.#withinWait(clock, Promise.all(worlds.map((world) => this.#run(world, AWAIT_RESOURCES))));
    await Promise.all(worlds.map((world) => this.#run(world, HIDE_WHAT_IS_MISSING)));
  }

  /** Prints at most this many pages. */
  async print(maxPages: number): Promise<Buffer> {
    const { stream } = await this.#call('Page.printToPDF', {
      ...A4_PAGE,
      preferCSSPageSize: true,
      printBackground: true,
      generateTaggedPDF: false,
      displayHeaderFooter: false,
      pageRanges: `1-${maxPages}`,
      transferMode: 'ReturnAsStream',
    });
    const chunks: Buffer[] = [];
    for (let isDone = false; !isDone; ) {
      const { data, base64Encoded, eof } = await this.#call('IO.read', { handle: stream, size: CHUNK_BYTES });
      chunks.push(Buffer.from(String(data), base64Encoded === true ? 'base64' : 'utf8'));
      isDone = eof === true;
    }
    return Buffer.concat(chunks);
  }

  /** Stops listening; the creator of the context disposes of it. */
  close(): void {
    this.#unlisten();
  }

  #call(method: string, params: Fields): Promise<Fields> {
    return this.#browser.pipe.call(method, params, { sessionId: this.#sessionId, signal: this.#signal });
  }

  #hear(event: DevToolsEvent): void {
    switch (event.method) {
      case 'Page.loadEventFired':
        this.#onLoad();
        break;
      case 'Inspector.targetCrashed':
        this.#crash.abort(new PageCrashed('the process of the page ended'));
        break;
      case 'Log.entryAdded':
        this.#blocked.addLogEntry(event);
        break;
      case 'Fetch.requestPaused':
        this.#decide(event.params);
        break;
    }
  }

  /** Serves the document once, and blocks everything else. */
  #decide({ requestId, request, resourceType }: Fields): void {
    const url = isRecord(request) ? String(request.url) : '';
    const html = this.#html;
    const isDocument = html !== undefined && url === DOCUMENT_URL && resourceType === 'Document';
    this.#html = isDocument ? undefined : html;
    if (!isDocument) this.#blocked.addRequest(url);
    const decided = isDocument
      ? this.#call('Fetch.fulfillRequest', {
          requestId,
          responseCode: 200,
          responseHeaders: [
            { name: 'Content-Type', value: 'text/html; charset=utf-8' },
            { name: 'Content-Security-Policy', value: CONTENT_SECURITY_POLICY },
          ],
          body: Buffer.from(html, 'utf8').toString('base64'),
        })
      : this.#call('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    // If the page is gone, so is its request.
    decided.catch(() => {});
  }

  /** An isolated world in each frame, including nested ones. */
  async #worlds(): Promise<readonly unknown[]> {
    const { frameTree } = await this.#call('Page.getFrameTree', {});
    const frames = frameIds(frameTree).slice(0, MAX_FRAMES);
    return await Promise.all(
      frames.map(async (frameId) => {
        const world = await this.#call('Page.createIsolatedWorld', { frameId, worldName: 'stackgate' });
        return world.executionContextId;
      }),
    );
  }

  async #run(contextId: unknown, expression: string): Promise<void> {
    await this.#call('Runtime.evaluate', { contextId, expression, awaitPromise: true });
  }

  async #withinWait(clock: Clock, work: Promise<unknown>): Promise<void> {
    let elapse = () => {};
    const elapsed = new Promise<void>((resolve) => {
      elapse = resolve;
    });
    const timer = clock.after(RESOURCE_WAIT_MS, () => elapse());
    // If the timer fires first, the next call reports a later failure.
    work.catch(() => {});
    await Promise.race([work, elapsed]).finally(() => timer.cancel());
  }
}

function frameIds(tree: unknown): readonly unknown[] {
  if (!isRecord(tree) || !isRecord(tree.frame)) return [];
  const children = Array.isArray(tree.childFrames) ? tree.childFrames : [];
  return [tree.frame.id, ...children.flatMap(frameIds)];
}
