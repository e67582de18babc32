import type { Log } from '../telemetry/log.ts';

/** Logs an uncaught exception before Node prints it and exits. */
export class CrashLine implements Disposable {
  readonly #log: Log;
  readonly #onCrash = (error: Error): void => this.#log.error({ error }, 'the process crashed');

  constructor(log: Log) {
    this.#log = log;
    process.on('uncaughtExceptionMonitor', this.#onCrash);
  }

  [Symbol.dispose](): void {
    process.off('uncaughtExceptionMonitor', this.#onCrash);
  }
}
