import { type Clock, systemClock, type Timer } from '../../src/lib/clock.ts';

/** The real clock, counting active timers. */
export class CountingClock implements Clock {
  pending = 0;

  nowMs(): number {
    return systemClock.nowMs();
  }

  after(delayMs: number, run: () => void): Timer {
    this.pending += 1;
    let isPending = true;
    const finish = () => {
      if (isPending) this.pending -= 1;
      isPending = false;
    };
    const timer = systemClock.after(delayMs, () => {
      finish();
      run();
    });
    return {
      cancel() {
        finish();
        timer.cancel();
      },
    };
  }
}

/** A clock that advances only when told to. */
export class HeldClock implements Clock {
  #nowMs = 0;
  readonly #timers = new Set<{ readonly atMs: number; readonly run: () => void }>();

  get pending(): number {
    return this.#timers.size;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, run: () => void): Timer {
    const timer = { atMs: this.#nowMs + delayMs, run };
    this.#timers.add(timer);
    return { cancel: () => void this.#timers.delete(timer) };
  }

  /** Advances the time, running due timers in order. */
  pass(durationMs: number): void {
    const untilMs = this.#nowMs + durationMs;
    for (;;) {
      const [next] = [...this.#timers].filter((t) => t.atMs <= untilMs).sort((a, b) => a.atMs - b.atMs);
      if (!next) break;
      this.#timers.delete(next);
      this.#nowMs = next.atMs;
      next.run();
    }
    this.#nowMs = untilMs;
  }
}
