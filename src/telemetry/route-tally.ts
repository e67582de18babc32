import { Counter, Gauge, type Registry } from 'prom-client';

/** The counters of one route, looked up once instead of at every request. */
export interface RouteMetrics {
  started(): void;
  ended(status: number, seconds: number): void;
}

const LATENCY_BUCKETS_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const STATUS_CLASSES = 5;

/**
 * Requests by route, summed in plain numbers and passed to the library at each scrape: its own counters hash the labels for
 * every request.
 */
export class RouteTallies {
  readonly #tallies: RouteTally[] = [];

  constructor(registry: Registry) {
    const tallies = this.#tallies;
    new Counter({
      name: 'stackgate_http_requests_total',
      help: 'Requests answered, by route, family and status class.',
      labelNames: ['route', 'family', 'status_class'],
      registers: [registry],
      collect() {
        this.reset();
        for (const { labels, byClass } of tallies) {
          byClass.forEach((count, index) => {
            if (count > 0) this.inc({ ...labels, status_class: `${index + 1}xx` }, count);
          });
        }
      },
    });
    new Gauge({
      name: 'stackgate_http_requests_in_flight',
      help: 'Requests being served now.',
      registers: [registry],
      collect() {
        this.set(tallies.reduce((sum, { inFlight }) => sum + inFlight, 0));
      },
    });
  }

  /** The histogram of durations in the Prometheus text format; the library cannot be given a finished one. */
  durations(): string {
    const head = `# HELP ${DURATION} Time from the head of a request to the end of its answer.\n# TYPE ${DURATION} histogram\n`;
    return `${head}${this.#tallies.flatMap(durationLines).join('\n')}\n`;
  }

  forRoute(route: string, family: string): RouteMetrics {
    const tally = new RouteTally({ route, family });
    this.#tallies.push(tally);
    return tally;
  }
}

interface RouteLabels {
  readonly route: string;
  readonly family: string;
}

class RouteTally implements RouteMetrics {
  readonly labels: RouteLabels;
  readonly byClass: number[] = new Array<number>(STATUS_CLASSES).fill(0);
  /** Counts per bucket; the last is for longer durations. */
  readonly buckets: number[] = new Array<number>(LATENCY_BUCKETS_SECONDS.length + 1).fill(0);
  seconds = 0;
  inFlight = 0;

  constructor(labels: RouteLabels) {
    this.labels = labels;
  }

  started(): void {
    this.inFlight++;
  }

  ended(status: number, seconds: number): void {
    this.inFlight--;
    const statusClass = Math.floor(status / 100) - 1;
    this.byClass[statusClass] = (this.byClass[statusClass] ?? 0) + 1;
    let bucket = 0;
    while (seconds > (LATENCY_BUCKETS_SECONDS[bucket] ?? Number.POSITIVE_INFINITY)) bucket++;
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1;
    this.seconds += seconds;
  }
}

const DURATION = 'stackgate_http_request_duration_seconds';

function durationLines({ labels, buckets, seconds }: RouteTally): readonly string[] {
  const count = buckets.reduce((sum, inBucket) => sum + inBucket, 0);
  if (count === 0) return [];
  const route = `route="${labels.route}",family="${labels.family}"`;
  let upTo = 0;
  return [
    ...buckets.map((inBucket, index) => {
      upTo += inBucket;
      return `${DURATION}_bucket{le="${LATENCY_BUCKETS_SECONDS[index] ?? '+Inf'}",${route}} ${upTo}`;
    }),
    `${DURATION}_sum{${route}} ${seconds}`,
    `${DURATION}_count{${route}} ${count}`,
  ];
}
