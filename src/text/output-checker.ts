import { setImmediate } from 'node:timers/promises';
import type { SchemaService } from '../schema/service/schema-service.ts';
import type { Log } from '../telemetry/log.ts';
import type { CheckOutput, CompleteOutput, OutputOrigin } from './complete-outputs.ts';

export interface OutputCheckerParts {
  readonly schemas: Pick<SchemaService, 'breach'>;
  readonly log: Log;
  /** Called for each output that does not satisfy its schema, with the engine's name in metrics. */
  readonly onMiss: (engine: string) => void;
}

interface WaitingCheck extends CompleteOutput, OutputOrigin {
  readonly engine: string;
}

/** Further outputs are not checked while this many wait. */
const MAXIMUM_WAITING = 100;
const MAXIMUM_WAITING_CHARACTERS = 4 * 1024 * 1024;

/**
 * Checks complete answers against their schemas after they were sent; the result does not change an answer. Checks one at a
 * time, so that a very slow schema occupies at most one worker.
 */
export class OutputChecker {
  readonly #parts: OutputCheckerParts;
  readonly #stopping = new AbortController();
  readonly #waiting: WaitingCheck[] = [];
  #waitingCharacters = 0;
  #run: Promise<void> | undefined;

  constructor(parts: OutputCheckerParts) {
    this.#parts = parts;
  }

  /** The check for one engine, by its name in metrics. */
  forEngine(engine: string): CheckOutput {
    return (output) => this.#add({ ...output, engine });
  }

  /** Drops the waiting checks. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#run;
  }

  #add(output: WaitingCheck): void {
    const characters = this.#waitingCharacters + output.text.length;
    if (this.#waiting.length >= MAXIMUM_WAITING || characters > MAXIMUM_WAITING_CHARACTERS) return;
    this.#waiting.push(output);
    this.#waitingCharacters = characters;
    this.#run ??= this.#checkAll().finally(() => {
      this.#run = undefined;
    });
  }

  async #checkAll(): Promise<void> {
    // The answer is sent first.
    await setImmediate();
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      this.#waitingCharacters -= next.text.length;
      if (!this.#stopping.signal.aborted) await this.#check(next);
    }
  }

  async #check({ of, text, schema, engine, server, form, onChecked }: WaitingCheck): Promise<void> {
    const { schemas, log, onMiss } = this.#parts;
    try {
      const keyword = await schemas.breach(schema, text, this.#stopping.signal);
      onChecked?.(keyword === undefined);
      if (keyword === undefined) return;
      onMiss(engine);
      log.warn({ engine, server, form, of, keyword }, 'an answer does not satisfy its schema');
    } catch (error) {
      // The schema is unusable, or the workers are busy or gone: the answer stays unchecked.
      if (!this.#stopping.signal.aborted) log.debug({ engine, of, error }, 'an answer was not checked');
    }
  }
}
