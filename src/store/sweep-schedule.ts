import type { Clock, Timer } from '../lib/clock.ts';
import type { Log } from '../telemetry/log.ts';
import { withoutParameters } from './database-errors.ts';

const FIRST_MS = 60_000;
const EVERY_MS = 60 * 60_000;

/** Removes what is over; tells how much it was, or undefined when another process is at it. */
export interface Sweeper {
  sweep(signal: AbortSignal): Promise<object | undefined>;
}

export interface SweepScheduleParts {
  /** What is swept, as the log names it. */
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

  /** Ends a sweep that is under way; the next one goes on where it was. */
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
      log.error({ error: withoutParameters(error) }, message);
    }
  }
}
