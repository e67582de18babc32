import type { Config } from '../config/config.ts';
import { systemClock } from '../lib/clock.ts';
import { packageVersion } from '../lib/package-version.ts';
import type { Log } from '../telemetry/log.ts';
import { OtlpExporter } from '../telemetry/otlp-exporter.ts';
import { Tracer } from '../telemetry/tracer.ts';
import type { GatewayModule } from './gateway-module.ts';

export interface TelemetryPartOptions {
  readonly config: Config;
  readonly log: Log;
  /** The metrics, as `/metrics` prints them. */
  readonly metrics: () => Promise<string>;
}

/** Traces and metrics for a collector, if one is configured. */
export class TelemetryModule implements GatewayModule {
  readonly tracer: Tracer | undefined;
  readonly #exporter: OtlpExporter | undefined;

  constructor({ config, log, metrics }: TelemetryPartOptions) {
    const { otlpEndpoint: endpoint, sampleRatio } = config.telemetry;
    if (endpoint === undefined) return;
    const exporter = new OtlpExporter({
      endpoint,
      version: packageVersion(),
      metrics,
      clock: systemClock,
      log,
    });
    this.#exporter = exporter;
    this.tracer = new Tracer({ sampleRatio, add: (span) => exporter.add(span) });
  }

  get spansDropped(): number {
    return this.#exporter?.dropped ?? 0;
  }

  start(): void {
    this.#exporter?.start();
  }

  async stop(): Promise<void> {
    await this.#exporter?.stop();
  }
}
