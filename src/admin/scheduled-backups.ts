import type { Clock, Timer } from '../lib/clock.ts';
import { keepLease } from '../lib/kept-lease.ts';
import type { WallClock } from '../lib/wall-clock.ts';
import type { Log } from '../telemetry/log.ts';
import type { BackupSource } from './backup.ts';
import type { BackupPlace } from './backup-place.ts';

const DAY_MS = 86_400_000;
const RETRY_MS = 10 * 60_000;
const RENEW_MS = 60_000;
const NAME = /^stackgate-\d{8}T\d{6}Z\.backup(?:\.age)?$/;

export interface ScheduledBackupsParts {
  /** `HH:MM`, in UTC. */
  readonly schedule: string;
  readonly keep: number;
  readonly openPlace: () => Promise<BackupPlace>;
  readonly openSource: (signal: AbortSignal) => Promise<BackupSource>;
  readonly lease: BackupRight;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly log: Pick<Log, 'info' | 'error'>;
}

/** The right to make the backup of a time, which one replica gets. */
export interface BackupRight {
  take(dueAt: Date): Promise<boolean>;
  renew(): Promise<void>;
  finish(dueAt: Date): Promise<void>;
  release(): Promise<void>;
}

/** Makes a backup every day, on one of the replicas, and removes the oldest ones. One that was missed is made at the next start. */
export class ScheduledBackups {
  readonly #parts: ScheduledBackupsParts;
  readonly #stopping = new AbortController();
  #timer: Timer | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(parts: ScheduledBackupsParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#runNow();
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the gateway is stopping'));
    this.#timer?.cancel();
    await this.#running;
  }

  #runNow(): void {
    this.#running = this.#run().then((delayMs) => {
      if (this.#stopping.signal.aborted) return;
      this.#timer = this.#parts.clock.after(delayMs, () => this.#runNow());
    });
  }

  /** Makes the backup that is due; returns the time until the next one. */
  async #run(): Promise<number> {
    const { lease, log, wallClock } = this.#parts;
    const dueMs = lastDueMs(this.#parts.schedule, wallClock.nowMs());
    const dueAt = new Date(dueMs);
    try {
      if (!(await lease.take(dueAt))) return this.#untilNext(dueMs);
      await this.#make(dueAt);
      return this.#untilNext(dueMs);
    } catch (error) {
      await lease.release().catch(() => {});
      if (!this.#stopping.signal.aborted)
        log.error({ error }, 'the scheduled backup failed; the next try is in 10 minutes');
      return RETRY_MS;
    }
  }

  /** A replica that did not get the right looks again soon: the one that has it may die. */
  #untilNext(dueMs: number): number {
    return Math.min(dueMs + DAY_MS - this.#parts.wallClock.nowMs(), RETRY_MS);
  }

  async #make(dueAt: Date): Promise<void> {
    const { openPlace, openSource, lease, log, clock } = this.#parts;
    const { signal } = this.#stopping;
    const held = keepLease({ clock, periodMs: RENEW_MS, renew: () => lease.renew() });
    try {
      const [place, source] = [await openPlace(), await openSource(signal)];
      const name = nameOf(dueAt, source.readers !== undefined);
      const counts = await place.write(name, source);
      await lease.finish(dueAt);
      log.info({ name, ...counts }, 'the scheduled backup was made');
      await this.#removeOld(place, signal);
    } finally {
      held.end();
    }
  }

  async #removeOld(place: BackupPlace, signal: AbortSignal): Promise<void> {
    const made = (await place.list(signal)).filter((name) => NAME.test(name)).sort();
    for (const name of made.slice(0, -this.#parts.keep)) await place.remove(name, signal);
  }
}

/** The last time at which a backup was due. */
function lastDueMs(schedule: string, nowMs: number): number {
  const [hours = 0, minutes = 0] = schedule.split(':').map(Number);
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS + (hours * 60 + minutes) * 60_000;
  return today <= nowMs ? today : today - DAY_MS;
}

function nameOf(dueAt: Date, isEncrypted: boolean): string {
  const time = dueAt.toISOString().replace(/[-:]|\.\d+/g, '');
  return `stackgate-${time}.backup${isEncrypted ? '.age' : ''}`;
}
