import { turnNowMs } from '../lib/clock.ts';

export type StreamTimes = Readonly<typeof defaultStreamTimes>;

/** Well inside the 60 s of common proxies and the 300 s of common clients. */
export const defaultStreamTimes = {
  /** The silence before the first ping. */
  firstPingMs: 5_000,
  /** The silence before each further ping. */
  nextPingMs: 10_000,
  /** How long a stream that must begin with a token count waits for it, once it must send a ping or an error. */
  beginMs: 20_000,
  /** How long a reader may take nothing before it counts as gone. */
  stalledMs: 300_000,
  /** How long a stream without an end of its own goes on; then its client asks again, with a credential that is checked. */
  followedMs: 60_000,
};

/** An answer that the watch calls about once a second. */
export interface Watched {
  /** Its index in the watch's list; only the watch uses it. */
  watchIndex: number;
  sweep(nowMs: number): void;
}

const SWEEP_MS = 1_000;

/** Watches all answers in flight with one timer: a timer per answer would cost more than the rest of a small stream. */
export class StreamWatch {
  readonly times: StreamTimes;
  /**
   * An array, not a Set: a growing Set links its old table to the new one, and old tables that the garbage collector has
   * promoted then keep all later answers from being collected young.
   */
  readonly #watched: Watched[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(times: StreamTimes) {
    this.times = times;
  }

  add(watched: Watched): void {
    watched.watchIndex = this.#watched.length;
    this.#watched.push(watched);
    const { firstPingMs, nextPingMs, stalledMs } = this.times;
    const everyMs = Math.min(SWEEP_MS, firstPingMs, nextPingMs, stalledMs);
    this.#timer ??= setInterval(() => this.#sweep(), everyMs).unref();
  }

  /** Call it once, for an answer that was added. */
  remove(watched: Watched): void {
    const last = this.#watched.pop();
    if (last === undefined || last === watched) return;
    this.#watched[watched.watchIndex] = last;
    last.watchIndex = watched.watchIndex;
  }

  #sweep(): void {
    const nowMs = turnNowMs();
    for (const watched of [...this.#watched]) watched.sweep(nowMs);
    if (this.#watched.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
