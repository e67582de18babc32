import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import {
  ChromiumEngine,
  type ChromiumEngineOptions,
} from '../../src/pdf/engines/chromium/chromium-engine.ts';
import { isRunning } from '../../src/pdf/engines/chromium/process-tree.ts';
import type { PrintedDocument } from '../../src/pdf/pdf-engine.ts';
import type { PdfObserver } from '../../src/pdf/pdf-observer.ts';
import { LogLines } from '../log-lines.ts';

/** The packaged browser is unpacked here once, for all tests. */
export const sharedDataDir = fileURLToPath(new URL('../../.cache/pdf/', import.meta.url));

const ENOUGH_MS = 60_000;
const ENOUGH_BYTES = 3_000_000_000;

/** Records events, one line each. */
export class RecordingObserver implements PdfObserver {
  readonly told: string[] = [];

  documentEnded(outcome: string): void {
    this.told.push(`document ${outcome}`);
  }
  stepTook(step: string): void {
    this.told.push(`step ${step}`);
  }
  pagesPrinted(pages: number): void {
    this.told.push(`pages ${pages}`);
  }
  browserStarted(rung: string): void {
    this.told.push(`browser started: ${rung}`);
  }
  browserEnded(reason: string): void {
    this.told.push(`browser ${reason}`);
  }
  pageKilled(): void {
    this.told.push('page killed');
  }
}

/** The real engine with the browser from npm, whatever is installed on the machine. */
export class TestEngine {
  readonly engine: ChromiumEngine;
  readonly observer = new RecordingObserver();
  readonly #logged = new LogLines('debug');
  readonly #seenProcesses = new Set<number>();

  constructor(options: Partial<ChromiumEngineOptions> = {}) {
    this.engine = new ChromiumEngine({
      dataDir: sharedDataDir,
      installed: [],
      sandbox: 'preferred',
      timeoutMs: ENOUGH_MS,
      memoryBytes: ENOUGH_BYTES,
      log: this.#logged.log,
      observer: this.observer,
      ...options,
    });
  }

  /** Closed after the test. */
  static forTest(options: Partial<ChromiumEngineOptions> = {}): TestEngine {
    const made = new TestEngine(options);
    onTestFinished(() => made.close());
    return made;
  }

  get log(): string {
    return this.#logged.text;
  }

  /** The number of printed pages; 0 if printing fails. */
  pagesOf(html: string): Promise<number> {
    return this.print(html).then(
      ({ pages }) => pages,
      () => 0,
    );
  }

  /** The process id of the only running browser. */
  get browserId(): number {
    const [id] = this.engine.processIds;
    if (id === undefined) throw new Error('no browser runs');
    return id;
  }

  async print(
    html: string,
    { maxPages = 75, signal = new AbortController().signal, standsBack = false } = {},
  ): Promise<PrintedDocument> {
    const printing = this.engine.print({ html, maxPages, standsBack }, signal);
    try {
      return await printing;
    } finally {
      for (const id of this.engine.processIds) this.#seenProcesses.add(id);
    }
  }

  /** Closes the engine, and fails if a browser is left. */
  async close(): Promise<void> {
    for (const id of this.engine.processIds) this.#seenProcesses.add(id);
    await this.engine.close();
    for (const id of this.#seenProcesses) {
      if (isRunning(id)) throw new Error(`browser ${id} still runs`);
    }
  }
}
