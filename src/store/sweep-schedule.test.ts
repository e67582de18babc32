import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { HeldClock } from '../../testing/bad-child/clocks.ts';
import { LogLines } from '../../testing/log-lines.ts';
import { SweepSchedule } from './sweep-schedule.ts';

const HOUR_MS = 3_600_000;

describe('SweepSchedule', () => {
  let logged: LogLines;
  let clock: HeldClock;
  beforeEach(() => {
    logged = new LogLines();
    clock = new HeldClock();
  });

  it('sweeps a minute after the start and then every hour, also after one that failed', async () => {
    let sweeps = 0;
    const sweep = async () => {
      sweeps += 1;
      if (sweeps === 1) throw new Error('bucket away');
      return { expired: 3, orphanedRows: 0, orphanedBytes: 0 };
    };
    const schedule = new SweepSchedule({ what: 'images', sweeper: { sweep }, clock, log: logged.log });
    schedule.start();
    expect(sweeps).toBe(0);
    clock.pass(60_000);
    await nextTurn();
    expect([sweeps, logged.text.includes('bucket away')]).toEqual([1, true]);
    clock.pass(HOUR_MS);
    await nextTurn();
    expect([sweeps, logged.text.includes('"expired":3')]).toEqual([2, true]);
    await schedule.stop();
    expect(clock.pending).toBe(0);
    clock.pass(HOUR_MS);
    expect(sweeps).toBe(2);
  });

  it('ends a running sweep when it stops, and plans no other', async () => {
    const sweep = (signal: AbortSignal) =>
      new Promise<undefined>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    const schedule = new SweepSchedule({ what: 'images', sweeper: { sweep }, clock, log: logged.log });
    schedule.start();
    clock.pass(60_000);
    await schedule.stop();
    expect([clock.pending, logged.text]).toEqual([0, '']);
  });
});
