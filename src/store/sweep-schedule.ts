import type { Clock, Timer } from '../lib/clock.ts';
import type { Log } from '../telemetry/log.ts';

const FIRST_MS = 60_000;
const EVERY_MS = 60 * 60_000;

/** Removes what is old; returns how much, or undefined when there is nothing to tell. */
export interface Sweeper {
  sweep(signal: AbortSignal): Promise<object | undefined>;
}

export interface SweepScheduleParts {
  /** The name of the swept things in the log. */
  readonly what: string;
  readonly sweeper: Sweeper;
  readonly clock: Clock;
  readonly log: Log;
  /** Until the first sweep; absent: a minute. */
  readonly firstMs?: number;
  /** Between sweeps; absent: an hour. */
  readonly everyMs?: number;
}

/** Sweeps again and again while the gateway runs. */
export class SweepSchedule {
  readonly #parts: SweepScheduleParts;
  readonly #stopping = new AbortController();
  #timer: Timer | undefined;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(parts: SweepScheduleParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#plan(this.#parts.firstMs ?? FIRST_MS);
  }

  /** Stops a running sweep; the next one continues where it was. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the gateway is stopping'));
    this.#timer?.cancel();
    await this.#sweeping;
  }

  get #everyMs(): number {
    return this.#parts.everyMs ?? EVERY_MS;
  }

  #plan(delayMs: number): void {
    if (this.#stopping.signal.aborted) return;
    this.#timer = this.#parts.clock.after(delayMs, () => {
      this.#sweeping = this.#sweep().finally(() => this.#plan(this.#everyMs));
    });
  }

  async #sweep(): Promise<void> {
    const { what, sweeper, log } = this.#parts;
    try {
      const removed = await sweeper.sweep(this.#stopping.signal);
      if (removed !== undefined) log.info(removed, `${what} were swept`);
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      const message = `${what} could not be swept; the next try is in ${this.#everyMs / 60_000} minutes`;
      log.error({ error }, message);
    }
  }
}
