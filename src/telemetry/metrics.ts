import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { KnowledgeMetrics } from './knowledge-metrics.ts';
import { LimitMetrics } from './limit-metrics.ts';
import { PdfMetrics } from './pdf-metrics.ts';
import { UsageMetrics } from './usage-metrics.ts';

/** Numbers that are read when somebody asks for them. */
export interface MetricSources {
  /** Each configured engine, as kind and name, with its state. */
  readonly engineStates: () => Iterable<readonly [engine: string, state: string]>;
  /** Each queue with the number of those who wait in it. */
  readonly queueDepths: () => Iterable<readonly [queue: string, waiting: number]>;
}

/** The counters of one route, looked up once instead of at every request. */
export interface RouteMetrics {
  started(): void;
  ended(status: number, seconds: number): void;
}

const LATENCY_BUCKETS_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** The numbers behind `/metrics`. Labels come from closed lists and the configuration, never from a client. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new Counter({
    name: 'stackgate_http_requests_total',
    help: 'Requests answered, by route, family and status class.',
    labelNames: ['route', 'family', 'status_class'],
    registers: [this.#registry],
  });
  readonly #latency = new Histogram({
    name: 'stackgate_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer.',
    labelNames: ['route', 'family'],
    buckets: LATENCY_BUCKETS_SECONDS,
    registers: [this.#registry],
  });
  readonly #inFlight = new Gauge({
    name: 'stackgate_http_requests_in_flight',
    help: 'Requests being served now.',
    registers: [this.#registry],
  });

  readonly #databaseUses = new Counter({
    name: 'stackgate_database_uses_total',
    help: 'How often a connection to the database was taken, for one statement or one transaction.',
    registers: [this.#registry],
  });

  /** The numbers of ceilings. */
  readonly limits = new LimitMetrics(this.#registry);
  /** The numbers of PDF generation. */
  readonly pdf = new PdfMetrics(this.#registry);
  /** The numbers of the knowledge base. */
  readonly knowledge = new KnowledgeMetrics(this.#registry);

  /** The numbers of what is used. */
  readonly usage = new UsageMetrics(this.#registry);

  constructor(sources: MetricSources) {
    // Event-loop lag, memory, handles and garbage collection come with the library's own set.
    collectDefaultMetrics({ register: this.#registry });
    this.#gaugeOf(
      'stackgate_engine_state',
      '1 for the state that an engine is in.',
      ['engine', 'state'],
      (gauge) => {
        for (const [engine, state] of sources.engineStates()) gauge.set({ engine, state }, 1);
      },
    );
    this.#gaugeOf(
      'stackgate_queue_depth',
      'Work waiting for a free place, by queue; of images also the one being painted.',
      ['queue'],
      (gauge) => {
        for (const [queue, waiting] of sources.queueDepths()) gauge.set({ queue }, waiting);
      },
    );
  }

  databaseUsed(): void {
    this.#databaseUses.inc();
  }

  /** The counters of a route. */
  forRoute(route: string, family: string): RouteMetrics {
    const latency = this.#latency.labels({ route, family });
    const byClass = [1, 2, 3, 4, 5].map((digit) =>
      this.#requests.labels({ route, family, status_class: `${digit}xx` }),
    );
    return {
      started: () => this.#inFlight.inc(),
      ended: (status, seconds) => {
        this.#inFlight.dec();
        byClass[Math.floor(status / 100) - 1]?.inc();
        latency.observe(seconds);
      },
    };
  }

  readonly contentType = this.#registry.contentType;

  /** The numbers in Prometheus' text format. */
  render(): Promise<string> {
    return this.#registry.metrics();
  }

  #gaugeOf(name: string, help: string, labelNames: string[], read: (gauge: Gauge) => void): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [this.#registry],
      collect: () => {
        gauge.reset();
        read(gauge);
      },
    });
  }
}
