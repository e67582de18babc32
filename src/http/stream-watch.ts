import { turnNowMs } from '../lib/clock.ts';

export interface StreamTimes {
  /** Silence before the first sign of life. */
  readonly firstPingMs: number;
  /** Silence between further ones. */
  readonly nextPingMs: number;
  /** How long a stream that must begin with a count may wait for it, once there is a reason to begin. */
  readonly beginMs: number;
  /** How long a reader may take nothing before it counts as gone. */
  readonly stalledMs: number;
}

/** Well inside the 60 s of common proxies and the 300 s of common clients. */
export const defaultStreamTimes: StreamTimes = {
  firstPingMs: 5_000,
  nextPingMs: 10_000,
  beginMs: 20_000,
  stalledMs: 300_000,
};

/** Something that looks at the time every now and then. */
export interface Watched {
  /** Its place among those that are watched; the watch's own. */
  watchIndex: number;
  sweep(nowMs: number): void;
}

const SWEEP_MS = 1_000;

/** Looks after all answers that are under way with one timer: one for each would cost more than the rest of a small stream. */
export class StreamWatch {
  readonly times: StreamTimes;
  /**
   * A list and not a set: a set that fills up links its old table to the new one, and tables that grew old before they were
   * collected then keep all later answers from being collected young.
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

  /** Only of what was added, and once. */
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
