import { Counter, type Registry } from 'prom-client';

/** Metrics of answers under schemas, without tenant labels. */
export class SchemaMetrics {
  readonly #misses;
  readonly #probes;

  constructor(registry: Registry) {
    this.#misses = new Counter({
      name: 'stackgate_schema_misses_total',
      help: 'Complete answers and tool arguments that do not satisfy their schema, by engine.',
      labelNames: ['engine'],
      registers: [registry],
    });
    this.#probes = new Counter({
      name: 'stackgate_schema_probes_total',
      help: 'Short questions by which the gateway itself found out how a model server takes schemas, by engine.',
      labelNames: ['engine'],
      registers: [registry],
    });
  }

  /** Creates an engine's series at 0. */
  show(engine: string): void {
    this.#misses.inc({ engine }, 0);
    this.#probes.inc({ engine }, 0);
  }

  missed(engine: string): void {
    this.#misses.inc({ engine });
  }

  probed(engine: string): void {
    this.#probes.inc({ engine });
  }
}
