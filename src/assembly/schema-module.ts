import { SchemaService } from '../schema/service/schema-service.ts';
import type { ChildEvent } from '../supervision/supervised-options.ts';
import type { Log } from '../telemetry/log.ts';
import type { GatewayModule } from './gateway-module.ts';

/** The workers that compile, examine and validate by schemas. */
export class SchemaModule implements GatewayModule {
  readonly service: SchemaService;

  constructor(log: Log) {
    this.service = new SchemaService({ observe: (event) => logWorker(event, log) });
  }

  stop(signal: AbortSignal): Promise<void> {
    return this.service.stop(signal);
  }
}

/** Its schema may be a tenant's: what the worker printed is not logged. */
function logWorker(event: ChildEvent, log: Log): void {
  if (event.type !== 'child-end' || event.loss.reason === 'stopped') return;
  log.warn({ reason: event.loss.reason }, 'schema worker ended and is replaced');
}
