import { SchemaService } from '../schema/service/schema-service.ts';
import type { ChildEvent } from '../supervision/supervised-options.ts';
import type { Log } from '../telemetry/log.ts';
import type { GatewayModule } from './gateway-module.ts';

/** Workers that compile, examine and validate schemas. */
export class SchemaModule implements GatewayModule {
  readonly service: SchemaService;

  constructor(log: Log) {
    this.service = new SchemaService({ observe: (event) => logWorker(event, log) });
  }

  stop(signal: AbortSignal): Promise<void> {
    return this.service.stop(signal);
  }
}

/** The worker's output is not logged: its schema may be tenant data. */
function logWorker(event: ChildEvent, log: Log): void {
  if (event.type !== 'child-end' || event.loss.reason === 'stopped') return;
  log.warn({ reason: event.loss.reason }, 'schema worker ended and is replaced');
}
