import { write, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../lib/error-code.ts';
import type { OutputDescriptor } from './output-descriptor.ts';

/** Lines are batched for this long, or up to this many characters: a write per line costs more than the rest of logging. */
const FLUSH_MS = 500;
const BATCH_CHARACTERS = 5 * 1024;
/** Buffered for a blocked reader; further lines are dropped. */
const KEPT_CHARACTERS = 1024 * 1024;
/** First retry interval for a blocked reader; doubled each time, up to the flush interval. */
const RETRY_MS = 10;
/** How long the final flush waits for a blocked reader. */
const LAST_WORDS_MS = 1_000;
/** The same on a crash, which blocks everything else. */
const SUDDEN_END_MS = 200;
const NOTHING = Buffer.alloc(0);

/**
 * Buffered line output that never blocks the writer: lines are retried, and dropped and counted if there are too many. So a
 * reader that is slow, stuck or gone loses only its own lines.
 */
export class LineOutput {
  readonly #descriptor: OutputDescriptor;
  /** In order. Joined only when written: joining per line costs more than writing. */
  #lines: string[] = [];
  #characters = 0;
  /** The unwritten rest of the current batch. */
  #rest = NOTHING;
  /** Whether an asynchronous write is under way. */
  #isWriting = false;
  #timer: NodeJS.Timeout | undefined;
  #retryMs = RETRY_MS;
  #failure: string | undefined;
  #isDropping = false;
  #dropped = 0;
  #untold = 0;
  #tellDropped: ((lines: number) => void) | undefined;

  constructor(descriptor: OutputDescriptor) {
    this.#descriptor = descriptor;
  }

  /** Lines dropped so far. */
  get linesDropped(): number {
    return this.#dropped;
  }

  /**
   * Calls back with the number of missing lines once the reader has received those before them. A line written by the callback
   * stands in their place.
   */
  onDropped(tell: (lines: number) => void): void {
    this.#tellDropped = tell;
  }

  write(text: string): void {
    this.#timer ??= setTimeout(this.#onTimer, FLUSH_MS).unref();
    if (this.#isDropping || this.#rest.length + this.#characters + text.length > KEPT_CHARACTERS) {
      this.#drop(text);
      return;
    }
    this.#lines.push(text);
    this.#characters += text.length;
    if (this.#characters >= BATCH_CHARACTERS) this.flush();
  }

  /** Writes as much as possible, unless a retry is scheduled. */
  flush(): void {
    if (this.#failure === undefined) this.#pump();
  }

  /** Writes the rest; drops what the reader does not take in time. */
  async close(): Promise<void> {
    const lastMs = performance.now() + LAST_WORDS_MS;
    for (;;) {
      this.#pump();
      if (this.#isEmpty || this.#isReaderGone || performance.now() >= lastMs) break;
      await delay(RETRY_MS);
    }
    clearTimeout(this.#timer);
  }

  /** Synchronously writes the rest of a process that is exiting. */
  closeNow(): void {
    const lastMs = performance.now() + SUDDEN_END_MS;
    // The thread pool completes a write it has started.
    if (this.#isWriting) this.#rest = NOTHING;
    while (this.#take()) {
      if (this.#writeNow()) continue;
      if (this.#isReaderGone || performance.now() >= lastMs) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }

  get #isEmpty(): boolean {
    return this.#rest.length === 0 && this.#lines.length === 0;
  }

  get #isReaderGone(): boolean {
    return this.#failure !== undefined && this.#failure !== 'EAGAIN';
  }

  readonly #onTimer = (): void => {
    this.#timer = undefined;
    this.#pump();
  };

  #pump(): void {
    if (this.#isWriting) return;
    while (this.#take()) {
      if (!this.#descriptor.neverWaits) {
        this.#writeSoon();
        return;
      }
      if (!this.#writeNow()) {
        this.#tryLater();
        return;
      }
    }
  }

  /** Starts the next batch; false if nothing is left. */
  #take(): boolean {
    if (this.#rest.length > 0) return true;
    if (this.#lines.length === 0) this.#tellOfGap();
    if (this.#lines.length === 0) return false;
    this.#rest = Buffer.from(this.#lines.join(''));
    this.#lines = [];
    this.#characters = 0;
    return this.#rest.length > 0;
  }

  /** Reports missing lines at their position. */
  #tellOfGap(): void {
    this.#isDropping = false;
    if (this.#untold === 0) return;
    const lines = this.#untold;
    this.#untold = 0;
    this.#tellDropped?.(lines);
  }

  /** Writes as much as possible; false if the reader is blocked. */
  #writeNow(): boolean {
    try {
      this.#wrote(writeSync(this.#descriptor.fd, this.#rest));
      return true;
    } catch (error) {
      this.#failure = errorCode(error) ?? 'unknown';
      return false;
    }
  }

  #writeSoon(): void {
    this.#isWriting = true;
    write(this.#descriptor.fd, this.#rest, (error, writtenBytes) => {
      this.#isWriting = false;
      if (error === null) {
        this.#wrote(writtenBytes);
        this.#pump();
      } else {
        this.#failure = errorCode(error) ?? 'unknown';
        this.#tryLater();
      }
    });
  }

  #wrote(bytes: number): void {
    this.#rest = this.#rest.subarray(bytes);
    this.#failure = undefined;
    this.#retryMs = RETRY_MS;
  }

  #tryLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onTimer, this.#retryMs).unref();
    this.#retryMs = Math.min(2 * this.#retryMs, FLUSH_MS);
  }

  /**
   * Drops everything from the first line without room until all before it are written: so there is a single gap at a known
   * position.
   */
  #drop(text: string): void {
    const lines = text.split('\n').length - 1;
    this.#isDropping = true;
    this.#dropped += lines;
    this.#untold += lines;
  }
}
