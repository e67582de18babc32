import type { ServerCertificates } from '../../config/config.ts';
import type { Secret } from '../../config/secret.ts';
import { Fault } from '../../faults/fault.ts';
import { type Clock, systemClock, type Timer } from '../../lib/clock.ts';
import type { EngineState, Lifecycle } from '../../supervision/lifecycle.ts';
import { Waiters } from '../../supervision/waiters.ts';
import type { Log } from '../../telemetry/log.ts';
import { askJson } from '../../upstream/ask-json.ts';
import { parseUpstreamAddress, type UpstreamAddress } from '../../upstream/upstream-address.ts';
import type { UpstreamRequest } from '../../upstream/upstream-call.ts';
import { UpstreamPool } from '../../upstream/upstream-pool.ts';
import { isNoSuchPath, isWithoutJson, notReady } from './image-server-faults.ts';
import { type ImageServerLimits, imageServerLimits } from './image-server-limits.ts';

export interface ImageServerSettings {
  readonly log: Log;
  readonly clock?: Clock;
  readonly limits?: Partial<ImageServerLimits>;
}

export interface ImageServerOptions extends ImageServerSettings {
  readonly baseUrl: string;
  readonly apiKey: Secret | undefined;
  readonly certificates: ServerCertificates | undefined;
  readonly timeoutMs: number;
  /** Health paths; the next is tried if one does not exist. */
  readonly healthPaths: (address: UpstreamAddress) => readonly string[];
}

// A busy server may answer late; a single failed check says little.
const FAILURES_UNTIL_DOWN = 2;

/** An image server: its connections and health. */
export class ImageServer implements Lifecycle {
  readonly address: UpstreamAddress;
  readonly #options: ImageServerOptions;
  readonly #clock: Clock;
  readonly #limits: ImageServerLimits;
  readonly #pool: UpstreamPool;
  readonly #waiters = new Waiters();
  readonly #closing = new AbortController();
  #state: Exclude<EngineState, 'paused'> = 'starting';
  #failures = 0;
  #painting = 0;
  #nextCheckMs: number;
  #isBeingChecked = false;
  #timer: Timer | undefined;

  constructor(options: ImageServerOptions) {
    const { baseUrl, apiKey, clock = systemClock } = options;
    this.#options = options;
    this.#clock = clock;
    this.#limits = { ...imageServerLimits, ...options.limits };
    this.address = parseUpstreamAddress(baseUrl);
    this.#pool = new UpstreamPool({
      target: { address: this.address, certificates: options.certificates },
      apiKey,
      clock,
      limits: this.#limits,
      maximumConnections: this.#limits.connections,
      maximumWaiting: this.#limits.waiting,
    });
    this.#nextCheckMs = clock.nowMs();
    this.#sweep();
  }

  get state(): EngineState {
    return this.#state;
  }

  async ready(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#state === 'ready') return;
    void this.#check();
    await this.#waiters.wait(signal);
  }

  /** Paints and returns the answer and the duration. Every failure but an abort is `model-not-ready`. */
  async paint(
    path: string,
    body: UpstreamRequest['body'],
    { signal, traceparent }: { readonly signal: AbortSignal; readonly traceparent?: string | undefined },
  ): Promise<{ readonly answer: unknown; readonly paintMs: number }> {
    const startedMs = this.#clock.nowMs();
    this.#painting += 1;
    try {
      const { timeoutMs } = this.#options;
      const request = { method: 'POST' as const, path, body, timeoutMs, traceparent };
      const answer = await this.#ask(request, signal);
      return { answer, paintMs: this.#clock.nowMs() - startedMs };
    } catch (error) {
      signal.throwIfAborted();
      this.#nextCheckMs = Math.min(this.#nextCheckMs, this.#clock.nowMs() + this.#limits.recheckMs);
      throw notReady(error);
    } finally {
      this.#painting -= 1;
    }
  }

  /** Aborts all work and closes every connection. */
  async close(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#closing.abort(new Error('the engine was closed'));
    this.#waiters.rejectAll(new Fault('model-not-ready', 'The image server is not asked any more.'));
    await this.#pool.close();
  }

  async #ask(request: UpstreamRequest, signal: AbortSignal): Promise<unknown> {
    const redact = (text: string) => {
      const key = this.#options.apiKey?.reveal();
      return key === undefined ? text : text.replaceAll(key, '[secret]');
    };
    return await askJson(
      { pool: this.#pool, request, redact, maximumBytes: this.#limits.answerBytes },
      signal,
    );
  }

  /** One timer for all timeouts and checks. */
  #sweep(): void {
    this.#timer = this.#clock.after(this.#limits.sweepMs, () => this.#sweep());
    this.#pool.sweep();
    // A server that is painting is up, and may be too busy to answer.
    const isBusy = this.#state === 'ready' && this.#painting > 0;
    if (!isBusy && this.#clock.nowMs() >= this.#nextCheckMs) void this.#check();
  }

  async #check(): Promise<void> {
    if (this.#isBeingChecked || this.#closing.signal.aborted) return;
    this.#isBeingChecked = true;
    const { baseUrl, log } = this.#options;
    try {
      await this.#askHealth();
      this.#failures = 0;
      if (this.#state !== 'ready') log.info({ server: baseUrl }, 'the image server answers');
      this.#state = 'ready';
      this.#waiters.resolveAll();
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.#failures += 1;
      const isDown = this.#state === 'starting' || this.#failures >= FAILURES_UNTIL_DOWN;
      if (isDown && this.#state !== 'degraded') {
        log.warn({ server: baseUrl, error }, 'the image server does not answer');
        this.#state = 'degraded';
      }
    } finally {
      this.#isBeingChecked = false;
      const { checkEveryMs, recheckMs } = this.#limits;
      this.#nextCheckMs = this.#clock.nowMs() + (this.#failures > 0 ? recheckMs : checkEveryMs);
    }
  }

  async #askHealth(): Promise<void> {
    const timeoutMs = this.#limits.checkTimeoutMs;
    for (const path of this.#options.healthPaths(this.address)) {
      try {
        await this.#ask({ method: 'GET', path, body: undefined, timeoutMs }, this.#closing.signal);
        return;
      } catch (error) {
        if (isWithoutJson(error)) return;
        if (!isNoSuchPath(error)) throw error;
      }
    }
  }
}
