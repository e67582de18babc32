import { isRecord } from '../../src/lib/json-record.ts';
import { SchemaService, type SchemaServiceOptions } from '../../src/schema/service/schema-service.ts';
import { launchSchemaWorker } from '../../src/schema/service/schema-workers.ts';
import type { ChildPort, LaunchChild } from '../../src/supervision/child-port.ts';
import { CountingClock } from '../bad-child/clocks.ts';
import { Nursery } from '../bad-child/launch-bad-child.ts';

/** A schema with this crashes its worker. */
export const DEADLY = 'ends the worker';

const NUMBERS = Array.from({ length: 5_000 }, (_, index) => index);

/**
 * Takes the compiler seconds of CPU time between two checks of the clock: every alternative compares all items of the value with
 * all.
 */
export const HANGING = {
  enum: [[...NUMBERS, NUMBERS.length - 1]],
  anyOf: Array.from({ length: 150 }, (_, minItems) => ({ uniqueItems: true, minItems })),
};

/** The same for the validator. */
export const HANGING_VALUE = {
  schema: { uniqueItems: true },
  value: Array.from({ length: 40_000 }, (_, index) => ({ index })),
};

/** The real service with its real workers, instrumented, with a schema that crashes them. */
export class WatchedSchemaService extends SchemaService {
  readonly nursery: Nursery;
  readonly clock: CountingClock;
  /** Requests to the workers. */
  readonly asked: string[];
  readonly #seen: { readonly ready: number };

  constructor(options: SchemaServiceOptions = {}) {
    const nursery = new Nursery();
    const clock = new CountingClock();
    const asked: string[] = [];
    const seen = { ready: 0 };
    super({ launch: nursery.launcher(() => mortalWorker(asked, seen)), clock, ...options });
    this.#seen = seen;
    this.nursery = nursery;
    this.clock = clock;
    this.asked = asked;
  }

  /** Whether a worker is starting; a clock that jumps then makes it too late. */
  get isStarting(): boolean {
    return this.#seen.ready < this.nursery.launched;
  }

  /** Remaining workers and timers. */
  get left(): number {
    return this.nursery.alive + this.clock.pending;
  }
}

function mortalWorker(asked: string[], seen: { ready: number }): LaunchChild {
  const launch = launchSchemaWorker(128);
  return (listener): ChildPort => {
    const port = launch({
      ...listener,
      message(message) {
        if (isReady(message)) seen.ready += 1;
        listener.message(message);
      },
    });
    return {
      ...port,
      send(message, transfer) {
        const text = JSON.stringify(message);
        if (message.type === 'request') asked.push(text);
        port.send(message, transfer);
        if (text.includes(DEADLY)) port.kill();
      },
      kill: () => port.kill(),
    };
  };
}

function isReady(message: unknown): boolean {
  return isRecord(message) && message.type === 'ready';
}
