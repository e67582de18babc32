import { turnNowMs, turnWallClock } from '../lib/clock.ts';

/** The requests that are remembered. */
export const RING_CAPACITY = 2_000;
const SECONDS = 60;

/** A request that ended, without any of its content. */
export interface LiveRequest {
  /** From 1, in the order in which requests ended; set by the ring, as is the time. */
  sequence: number;
  readonly id: string;
  /** When it ended, in milliseconds since 1970. */
  atMs: number;
  readonly stack: string | undefined;
  readonly key: string | undefined;
  readonly endpoint: string;
  readonly model: string | undefined;
  readonly status: number;
  readonly errorCode: string | undefined;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly firstTokenMs: number | undefined;
  readonly durationMs: number;
  readonly streamed: boolean;
}

/** Sums over the last minute. */
export interface MinuteSums {
  readonly requests: number;
  readonly errors: number;
  readonly tokens: number;
}

interface Second {
  at: number;
  requests: number;
  errors: number;
  tokens: number;
}

/** The last requests of this process, for operators who watch. Nothing of it is stored. */
export class RequestRing {
  readonly #entries: LiveRequest[] = [];
  readonly #seconds: readonly Second[] = Array.from({ length: SECONDS }, () => emptySecond(-1));
  readonly #watchers = new Set<() => void>();
  #last = 0;

  /** Remembers a request that ended now. */
  add(request: LiveRequest): void {
    request.sequence = ++this.#last;
    request.atMs = turnWallClock.nowMs();
    this.#entries[request.sequence % RING_CAPACITY] = request;
    this.#count(request);
    if (this.#watchers.size > 0) this.#wake();
  }

  /** The number of the last request; 0 if there was none. */
  get last(): number {
    return this.#last;
  }

  /** The requests after a number, oldest first; at most the newest `limit` of them. */
  after(sequence: number, limit = RING_CAPACITY): readonly LiveRequest[] {
    const requests: LiveRequest[] = [];
    const first = Math.max(sequence, this.#last - Math.min(limit, RING_CAPACITY)) + 1;
    for (let each = first; each <= this.#last; each++) {
      const request = this.#entries[each % RING_CAPACITY];
      if (request !== undefined) requests.push(request);
    }
    return requests;
  }

  /** Resolves when there is a request after the number, or the signal aborts. */
  async whenAfter(sequence: number, signal: AbortSignal): Promise<void> {
    if (this.#last > sequence || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const wake = () => {
        this.#watchers.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#watchers.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  /** Of all requests of the last minute. */
  lastMinute(): MinuteSums {
    const now = Math.floor(turnNowMs() / 1000);
    const sums = { requests: 0, errors: 0, tokens: 0 };
    for (const second of this.#seconds) {
      if (second.at <= now - SECONDS || second.at < 0) continue;
      sums.requests += second.requests;
      sums.errors += second.errors;
      sums.tokens += second.tokens;
    }
    return sums;
  }

  /** Of the requests of one stack within the last minute, as far back as the ring goes. */
  lastMinuteOf(stack: string): MinuteSums {
    const sinceMs = turnWallClock.nowMs() - SECONDS * 1000;
    const sums = { requests: 0, errors: 0, tokens: 0 };
    for (const request of this.#entries) {
      if (request?.stack !== stack || request.atMs < sinceMs) continue;
      sums.requests++;
      if (request.status >= 400) sums.errors++;
      sums.tokens += request.inputTokens + request.outputTokens;
    }
    return sums;
  }

  #count({ status, inputTokens, outputTokens }: LiveRequest): void {
    const at = Math.floor(turnNowMs() / 1000);
    const second = this.#seconds[at % SECONDS];
    if (second === undefined) return;
    if (second.at !== at) Object.assign(second, emptySecond(at));
    second.requests++;
    if (status >= 400) second.errors++;
    second.tokens += inputTokens + outputTokens;
  }

  #wake(): void {
    for (const wake of [...this.#watchers]) wake();
  }
}

function emptySecond(at: number): Second {
  return { at, requests: 0, errors: 0, tokens: 0 };
}
