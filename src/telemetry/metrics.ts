import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { FieldFinderMetrics } from './field-finder-metrics.ts';
import { KnowledgeMetrics } from './knowledge-metrics.ts';
import { LimitMetrics } from './limit-metrics.ts';
import { PdfMetrics } from './pdf-metrics.ts';
import { type RouteMetrics, RouteTallies } from './route-tally.ts';
import { SchemaMetrics } from './schema-metrics.ts';
import { UsageMetrics } from './usage-metrics.ts';

/** Values read at each scrape. */
export interface MetricSources {
  /** Each configured engine, as kind and name, with its state. */
  readonly engineStates: () => Iterable<readonly [engine: string, state: string]>;
  /** Each queue with its length. */
  readonly queueDepths: () => Iterable<readonly [queue: string, waiting: number]>;
  /** Log lines dropped. */
  readonly logLinesDropped: () => number;
  /** Spans that were not sent; absent if traces are not sent anywhere. */
  readonly spansDropped?: () => number;
}

/** The metrics of `/metrics`. Labels come from closed lists and the configuration, never from a client. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #routes = new RouteTallies(this.#registry);

  readonly #databaseUses = new Counter({
    name: 'stackgate_database_uses_total',
    help: 'How often a connection to the database was taken, for one statement or one transaction.',
    registers: [this.#registry],
  });

  readonly limits = new LimitMetrics(this.#registry);
  readonly pdf = new PdfMetrics(this.#registry);
  readonly schemas = new SchemaMetrics(this.#registry);
  readonly knowledge = new KnowledgeMetrics(this.#registry);
  readonly fieldFinder = new FieldFinderMetrics(this.#registry);

  readonly usage = new UsageMetrics(this.#registry);

  constructor(sources: MetricSources) {
    // The library's defaults include event-loop lag, memory, handles and garbage collection.
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
      'Work waiting for a free slot, by queue; of images also the one being painted.',
      ['queue'],
      (gauge) => {
        for (const [queue, waiting] of sources.queueDepths()) gauge.set({ queue }, waiting);
      },
    );
    const dropped = new Counter({
      name: 'stackgate_log_lines_dropped_total',
      help: 'Lines of standard output that were dropped because the reader was too slow.',
      registers: [this.#registry],
      collect: () => {
        dropped.reset();
        dropped.inc(sources.logLinesDropped());
      },
    });
    const spans = new Counter({
      name: 'stackgate_telemetry_spans_dropped_total',
      help: 'Spans that were dropped because the collector was too slow or away.',
      registers: [this.#registry],
      collect: () => {
        spans.reset();
        spans.inc(sources.spansDropped?.() ?? 0);
      },
    });
  }

  databaseUsed(): void {
    this.#databaseUses.inc();
  }

  /** The counters of a route. */
  forRoute(route: string, family: string): RouteMetrics {
    return this.#routes.forRoute(route, family);
  }

  readonly contentType = this.#registry.contentType;

  /** In the Prometheus text format. */
  async render(): Promise<string> {
    return `${await this.#registry.metrics()}\n${this.#routes.durations()}`;
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
