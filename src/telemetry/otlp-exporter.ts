import { randomUUID } from 'node:crypto';
import type { Clock, Timer } from '../lib/clock.ts';
import { CollectorConnection } from './collector-connection.ts';
import type { Log } from './log.ts';
import { readMetricFamilies } from './metric-families.ts';
import { metricsRequest, type OtlpResource } from './otlp-messages.ts';
import type { EndedSpan } from './request-trace.ts';
import { SpanBatch } from './span-batch.ts';

const SEND_EVERY_MS = 2_000;
const METRICS_EVERY_MS = 30_000;
/** So many are sent at once: a request to the collector costs a millisecond. */
const BATCH_SPANS = 2_048;
/** Some seconds of many requests; more are dropped. */
const MAX_WAITING_SPANS = 8_192;
const TIMEOUT_MS = 10_000;
/** For everything that is sent while the gateway stops. */
const LAST_MS = 3_000;
const MAX_ATTEMPTS = 3;

export interface OtlpExporterParts {
  /** Without the paths of traces and metrics. */
  readonly endpoint: string;
  readonly version: string;
  /** The metrics, as `/metrics` prints them. */
  readonly metrics: () => Promise<string>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Sends spans and metrics to a collector. Nothing waits for it, and what it cannot send is dropped and counted. */
export class OtlpExporter {
  readonly #parts: OtlpExporterParts;
  readonly #resource: OtlpResource;
  readonly #collector: CollectorConnection;
  readonly #startedMs = Date.now();
  /** In order; spans are added to the last. */
  readonly #batches: SpanBatch[] = [];
  /** An empty batch, for the next spans. */
  #spare: SpanBatch | undefined;
  #waiting = 0;
  #dropped = 0;
  #sinceMetricsMs = 0;
  #isFailing = false;
  #timer: Timer | undefined;
  #sending: Promise<void> = Promise.resolve();
  #isStopping = false;
  readonly #ending = new AbortController();

  constructor(parts: OtlpExporterParts) {
    this.#parts = parts;
    this.#collector = new CollectorConnection(parts.endpoint);
    this.#resource = { version: parts.version, instance: randomUUID() };
  }

  /** Spans that were never sent. */
  get dropped(): number {
    return this.#dropped;
  }

  add(span: EndedSpan): void {
    if (this.#waiting >= MAX_WAITING_SPANS) {
      this.#dropped += 1;
      return;
    }
    let batch = this.#batches.at(-1);
    if (batch === undefined || isFull(batch)) {
      batch = this.#spare ?? new SpanBatch();
      this.#spare = undefined;
      this.#batches.push(batch);
    }
    batch.add(span);
    this.#waiting += 1;
    if (isFull(batch)) this.#sending = this.#sending.then(() => this.#sendFull());
  }

  start(): void {
    if (this.#isStopping) return;
    this.#timer = this.#parts.clock.after(SEND_EVERY_MS, () => {
      this.#sinceMetricsMs += SEND_EVERY_MS;
      void this.send().finally(() => this.start());
    });
  }

  /** Sends the rest, in one attempt; a collector that does not answer is not waited for. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#timer?.cancel();
    const end = this.#parts.clock.after(LAST_MS, () => this.#ending.abort());
    await this.#sending;
    this.#sinceMetricsMs = METRICS_EVERY_MS;
    await this.send();
    end.cancel();
    this.#collector.close();
  }

  /** Sends what is waiting, and the metrics if they are due. Never rejects. */
  send(): Promise<void> {
    this.#sending = this.#sending.then(() => this.#sendAll());
    return this.#sending;
  }

  /** Spans that end meanwhile wait for the next time: sent at once, a busy gateway would send a few of them all the time. */
  async #sendAll(): Promise<void> {
    const ended = this.#batches.length;
    for (let sent = 0; sent < ended && (await this.#sendSpans()); sent++) {}
    if (this.#sinceMetricsMs < METRICS_EVERY_MS) return;
    this.#sinceMetricsMs = 0;
    const families = readMetricFamilies(await this.#parts.metrics().catch(() => ''));
    const times = { startedMs: this.#startedMs, nowMs: Date.now() };
    await this.#post('/v1/metrics', [metricsRequest(families, times, this.#resource)]);
  }

  async #sendFull(): Promise<void> {
    while (!this.#isFailing && isFull(this.#batches[0]) && (await this.#sendSpans())) {}
  }

  /** False if the collector did not take them; they are tried again a few times. */
  async #sendSpans(): Promise<boolean> {
    const batch = this.#batches.shift();
    if (batch === undefined) return false;
    const isTaken = await this.#post('/v1/traces', batch.request(this.#resource));
    batch.attempts += 1;
    if (!isTaken && batch.attempts < MAX_ATTEMPTS) {
      this.#batches.unshift(batch);
      return false;
    }
    this.#waiting -= batch.count;
    // An answer that came early may leave the connection with bytes of the batch.
    if (isTaken) this.#spare = batch.clear();
    else this.#dropped += batch.count;
    return isTaken;
  }

  async #post(path: string, body: readonly Buffer[]): Promise<boolean> {
    const signal = AbortSignal.any([this.#ending.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    try {
      const status = await this.#collector.post(path, body, signal);
      const isTaken = status >= 200 && status < 300;
      this.#tell(isTaken ? undefined : `status ${status}`);
      return isTaken;
    } catch (error) {
      this.#tell(error);
      return false;
    }
  }

  /** Logged once per series of failures. */
  #tell(problem: unknown): void {
    const { log, endpoint } = this.#parts;
    if (problem !== undefined && !this.#isFailing)
      log.warn(
        { endpoint, problem: String(problem) },
        'telemetry could not be sent; some of it will be missing',
      );
    this.#isFailing = problem !== undefined;
  }
}

function isFull(batch: SpanBatch | undefined): boolean {
  return batch !== undefined && batch.count >= BATCH_SPANS;
}
