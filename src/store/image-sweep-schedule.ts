import type { Clock, Timer } from '../lib/clock.ts';
import type { Log } from '../telemetry/log.ts';
import { withoutParameters } from './database-errors.ts';
import type { ImageSweeper } from './image-sweeper.ts';

const FIRST_MS = 60_000;
const EVERY_MS = 60 * 60_000;

/** Sweeps once an hour while the gateway runs. */
export class ImageSweepSchedule {
  readonly #sweeper: Pick<ImageSweeper, 'sweep'>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #stopping = new AbortController();
  #timer: Timer | undefined;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(sweeper: Pick<ImageSweeper, 'sweep'>, clock: Clock, log: Log) {
    this.#sweeper = sweeper;
    this.#clock = clock;
    this.#log = log;
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
    this.#timer = this.#clock.after(delayMs, () => {
      this.#sweeping = this.#sweep().finally(() => this.#plan(EVERY_MS));
    });
  }

  async #sweep(): Promise<void> {
    try {
      const removed = await this.#sweeper.sweep(this.#stopping.signal);
      if (removed !== undefined) this.#log.info(removed, 'images were swept');
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#log.error(
        { error: withoutParameters(error) },
        'images could not be swept; the next try is in an hour',
      );
    }
  }
}
