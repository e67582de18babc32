import type { Clock, Timer } from '../../lib/clock.ts';

/** A turn that takes longer goes on beside the next: reading a network folder may never end. */
export const LONGEST_TURN_MS = 120_000;

/** Lets folders be looked through one at a time. */
export class FolderTurns {
  readonly #clock: Clock;
  #last: Promise<void> = Promise.resolve();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Begins the work when that before it is done, or has taken too long. */
  take(work: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#last = this.#last.then(() => this.#forSomeTime(work().then(resolve, reject)));
    });
  }

  async #forSomeTime(work: Promise<void>): Promise<void> {
    let timer: Timer | undefined;
    const tooLong = new Promise<void>((resolve) => {
      timer = this.#clock.after(LONGEST_TURN_MS, resolve);
    });
    await Promise.race([work, tooLong]);
    timer?.cancel();
  }
}
