import { write, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../lib/error-code.ts';
import type { OutputDescriptor } from './output-descriptor.ts';

/** Lines are gathered for so long, or up to so many characters, and written together: a write for each costs more than the rest of logging. */
const FLUSH_MS = 500;
const BATCH_CHARACTERS = 5 * 1024;
/** What is kept for a reader that takes nothing; lines beyond that are dropped. */
const KEPT_CHARACTERS = 1024 * 1024;
/** How soon a reader that had no room is asked again, at first; each time in vain takes twice as long, up to the time of a flush. */
const RETRY_MS = 10;
/** How long the end waits for a reader that takes nothing. */
const LAST_WORDS_MS = 1_000;
/** The same for an end that came without warning: nothing else happens meanwhile. */
const SUDDEN_END_MS = 200;
const NOTHING = Buffer.alloc(0);

/**
 * Lines on their way to somebody who reads them, or does not. Whoever writes never waits: what has no room is kept, tried
 * again, and dropped and counted when there is too much of it. So a reader that is slow, stuck or gone costs its own lines only.
 */
export class LineOutput {
  readonly #descriptor: OutputDescriptor;
  /** Gathered, in their order. Joined only when they are written: joining with each line costs more than writing it. */
  #lines: string[] = [];
  #characters = 0;
  /** What is being written, without what was taken of it. */
  #rest = NOTHING;
  /** Whether the pool has it in hand. */
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

  /** How many lines were dropped so far. */
  get linesDropped(): number {
    return this.#dropped;
  }

  /** Has somebody told how many lines are missing, once the reader has taken those before them. What is written then stands in their place. */
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

  /** Writes what there is room for; not where the last try was in vain, which is tried again in its time. */
  flush(): void {
    if (this.#failure === undefined) this.#pump();
  }

  /** Writes the rest, for as long as the reader takes it; what it does not take in time is dropped. */
  async close(): Promise<void> {
    const lastMs = performance.now() + LAST_WORDS_MS;
    for (;;) {
      this.#pump();
      if (this.#isEmpty || this.#isReaderGone || performance.now() >= lastMs) break;
      await delay(RETRY_MS);
    }
    clearTimeout(this.#timer);
  }

  /** Writes the rest of a process that ends in this very moment. */
  closeNow(): void {
    const lastMs = performance.now() + SUDDEN_END_MS;
    // The pool ends what it has begun.
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

  /** Takes up what was gathered; false where nothing is left to write. */
  #take(): boolean {
    if (this.#rest.length > 0) return true;
    if (this.#lines.length === 0) this.#tellOfGap();
    if (this.#lines.length === 0) return false;
    this.#rest = Buffer.from(this.#lines.join(''));
    this.#lines = [];
    this.#characters = 0;
    return this.#rest.length > 0;
  }

  /** Lines that are not there are told of where they would stand. */
  #tellOfGap(): void {
    this.#isDropping = false;
    if (this.#untold === 0) return;
    const lines = this.#untold;
    this.#untold = 0;
    this.#tellDropped?.(lines);
  }

  /** Writes what there is room for; false where there is none. */
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

  /** From the first line that has no room on, until all before it are written: so there is one gap, and its place is known. */
  #drop(text: string): void {
    const lines = text.split('\n').length - 1;
    this.#isDropping = true;
    this.#dropped += lines;
    this.#untold += lines;
  }
}
