import type { Clock, Timer } from '../lib/clock.ts';
import type { Log } from '../telemetry/log.ts';

const FIRST_MS = 60_000;
const EVERY_MS = 60 * 60_000;

/** Removes old rows; returns how many, or undefined when another process sweeps. */
export interface Sweeper {
  sweep(signal: AbortSignal): Promise<object | undefined>;
}

export interface SweepScheduleParts {
  /** The name of the swept things in the log. */
  readonly what: string;
  readonly sweeper: Sweeper;
  readonly clock: Clock;
  readonly log: Log;
}

/** Sweeps once an hour while the gateway runs. */
export class SweepSchedule {
  readonly #parts: SweepScheduleParts;
  readonly #stopping = new AbortController();
  #timer: Timer | undefined;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(parts: SweepScheduleParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#plan(FIRST_MS);
  }

  /** Stops a running sweep; the next one continues where it was. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the gateway is stopping'));
    this.#timer?.cancel();
    await this.#sweeping;
  }

  #plan(delayMs: number): void {
    if (this.#stopping.signal.aborted) return;
    this.#timer = this.#parts.clock.after(delayMs, () => {
      this.#sweeping = this.#sweep().finally(() => this.#plan(EVERY_MS));
    });
  }

  async #sweep(): Promise<void> {
    const { what, sweeper, log } = this.#parts;
    try {
      const removed = await sweeper.sweep(this.#stopping.signal);
      if (removed !== undefined) log.info(removed, `${what} were swept`);
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      const message = `${what} could not be swept; the next try is in an hour`;
      log.error({ error }, message);
    }
  }
}
